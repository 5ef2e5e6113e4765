"""What a server announces is what the pages say that it announces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hearts_wire.announcement import SERVICE, VERSION, Announcement, encode_announcement

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("protocol.md", "decisions/0014-found-on-the-local-network.md")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_every_entry_of_an_announcement_and_no_other(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| entry \|.*\n\| --- .*\n((?:\|.*\n)+)", text, re.MULTILINE)
    named = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    assert named == set(encode_announcement(Announcement.of("den", "a" * 32, ["oak-1"])))
    assert f"`{SERVICE}`" in text
    assert f"`{VERSION}`" in table
