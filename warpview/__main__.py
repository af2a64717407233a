"""``python -m warpview``: the same as the command ``warpview``."""

from warpview.cli import main

if __name__ == "__main__":
    main()
