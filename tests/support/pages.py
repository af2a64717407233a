"""Read a page of HTML that warpview has written."""

from __future__ import annotations

import re
from xml.etree import ElementTree

VOID = re.compile(r"<(meta|br)\b([^>]*)>")
SCRIPT = re.compile(r"<(script)>(.*?)</script>", re.DOTALL)


def page_tree(page: str) -> ElementTree.Element:
    """Return the page as a tree. Raise ``ParseError`` where a tag is not closed in its turn, AssertionError where two
    elements have one id."""
    _, _, body = page.partition(">")  # <!DOCTYPE html>
    tree = ElementTree.fromstring(VOID.sub(r"<\1\2/>", SCRIPT.sub(r"<\1><![CDATA[\2]]></\1>", body)))
    ids = [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    return tree
