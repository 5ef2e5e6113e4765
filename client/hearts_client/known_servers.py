"""The servers that this user has met, each known by its certificate from then on."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from filelock import FileLock

from hearts_client.trust import Distrust
from hearts_wire.certificates import parse_certificate_fingerprint

FILE_NAME: Final = "known_servers.json"
"""A JSON object: HOST:PORT, and the fingerprint of the certificate there."""


class KnownServers:
    """The file in a data folder; its methods raise ``Distrust`` if it cannot be used."""

    def __init__(self, data: Path) -> None:
        self._path = data / FILE_NAME

    def pin_of(self, address: str) -> str | None:
        """The fingerprint that a server must prove; none if it was never met."""
        return self._read().get(address)

    def meet(self, address: str, fingerprint: str) -> str:
        """Remember a server that was never met; the fingerprint that it is known by now."""
        with self._alone():
            known = self._read()
            if address not in known:
                self._write({**known, address: fingerprint})
            return known.get(address, fingerprint)

    def replace(self, address: str, fingerprint: str) -> None:
        """Remember a server by this fingerprint, whatever it was known by."""
        with self._alone():
            self._write({**self._read(), address: fingerprint})

    @contextmanager
    def _alone(self) -> Generator[None, None, None]:
        """Other processes of this user wait: none of them may lose what another has learnt."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(self._path.with_suffix(".lock")):
                yield
        except OSError as error:
            raise Distrust(
                "KNOWN_SERVERS",
                f"{self._path} cannot be written ({error.strerror}), so the server would not be "
                "known again; make room for it, or choose another folder with --data",
            ) from error

    def _read(self) -> Mapping[str, str]:
        """What is known. A damaged file is not taken for an empty one: nobody would be known."""
        try:
            known = json.loads(self._path.read_text(encoding="utf-8"))
            return {
                str(address): parse_certificate_fingerprint(pin) for address, pin in known.items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise Distrust(
                "KNOWN_SERVERS",
                f"{self._path} cannot be read, so it is not known which servers are the right "
                "ones; mend it, or remove it to meet all of them anew",
            ) from error

    def _write(self, known: Mapping[str, str]) -> None:
        with NamedTemporaryFile(  # made with mode 0600
            "w", dir=self._path.parent, prefix=".", delete=False, encoding="utf-8"
        ) as draft:
            json.dump(known, draft, indent=2, sort_keys=True)
            draft.write("\n")
            draft.flush()
            os.fsync(draft.fileno())
        Path(draft.name).replace(self._path)
