"""Write docs/screens.md anew: screens as the golden tests hold them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
GOLDEN: Final = ROOT / "tests" / "client" / "golden"
PAGE: Final = ROOT / "docs" / "screens.md"

SCREENS: Final = (
    ("Choosing a pass", "passing_80x24_symbols"),
    ("Your card, in a small window", "following_60x20_letters"),
    ("The smallest window", "following_40x12_letters"),
    ("Waiting for others at a table of your own", "hosting_80x24_symbols"),
    ("The end of a deal with a moon, in a wide terminal", "moon_120x40_symbols"),
    ("Ten seats, two packs", "ten_seats_cancelled_80x24_symbols"),
)

HEAD: Final = """# What it looks like

Screens of the full-screen client, as text; colours are left out. Themes, such as that of
`hearts play --set theme=felt`, change how they look and not what they say. They are the screens
that the tests hold the program to: `python tools/screens_page.py` writes this page.
"""


def page() -> str:
    """The page as the screens are now."""
    parts = [HEAD]
    for title, name in SCREENS:
        text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
        parts.append(f"## {title}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
