"""The page of screens shows the screens of the program."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_shows_the_screens_that_the_tests_hold_the_program_to() -> None:
    spec = importlib.util.spec_from_file_location("screens", ROOT / "tools" / "screens_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "python tools/screens_page.py"
