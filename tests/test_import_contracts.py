"""Check that broken import contracts are reported with the imports that break them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

CONFIGURATION = """
[tool.importlinter]
root_package = "house"
include_external_packages = true
contract_types = [
    "models: tests.support.import_contracts.ModelsContract",
    "siblings: tests.support.import_contracts.SiblingsContract",
]
[[tool.importlinter.contracts]]
name = "Siblings"
type = "siblings"
package = "house"
suffix = "_model"
[[tool.importlinter.contracts]]
name = "Models"
type = "models"
package = "house"
suffix = "_model"
forbidden_modules = ["json"]
"""


def test_broken_contracts_name_the_imports(tmp_path: Path) -> None:
    modules = {"door": "", "door_model": "import json", "wall": "import house.door", "wall_model": ""}
    for name, text in {"__init__": "", **modules}.items():
        file = tmp_path / "house" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    code = "from importlinter.cli import lint_imports_command as lint; lint()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1, result.stdout + result.stderr
    assert "house.wall is not allowed to import house.door" in result.stdout
    assert "house.door_model is not allowed to import json" in result.stdout
    assert "Traceback" not in result.stderr
