"""Where the pages are shown, and what they have in common."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hearts_cli.terminal import Terminal
from hearts_client.foyer.app import Foyer
from hearts_client.settings import Settings


@dataclass(frozen=True, slots=True)
class Hall:
    """This terminal, these settings and this data folder."""

    settings: Settings
    data: Path

    @property
    def foyer(self) -> Foyer:
        """Shows pages."""
        return Foyer(self.settings, self.data / "screen.log")

    @property
    def terminal(self) -> Terminal:
        """Plays on the full screen and asks between."""
        return Terminal(plain=False, watching=False, settings=self.settings, is_a_tty=True)
