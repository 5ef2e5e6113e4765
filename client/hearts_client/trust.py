"""Whether a server is the one that is meant, and may be talked to: what is asked of it first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from hearts_client.invite import Invite
from hearts_wire.certificates import read_aloud
from hearts_wire.hosts import is_loopback


class Tls(StrEnum):
    """Whether a connection is encrypted."""

    ALWAYS = "always"
    AUTO = "auto"
    """Unless it stays within this machine, and the server there shows no certificate."""
    NEVER = "never"


class Distrust(Exception):
    """A server that is not talked to; the sentence says why, and what to do."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


class Pins(Protocol):
    """The servers met before, by address, each with the fingerprint of its certificate.

    Raises ``Distrust`` where what was kept cannot be used.
    """

    def pin_of(self, address: str) -> str | None:
        """The fingerprint that a server must prove; none if it was never met."""
        ...

    def meet(self, address: str, fingerprint: str) -> str:
        """Remember a server that was never met; the fingerprint that it is known by now."""
        ...

    def replace(self, address: str, fingerprint: str) -> None:
        """Remember a server by this fingerprint, whatever it was known by."""
        ...


class NoPins:
    """No memory: each meeting is the first."""

    def pin_of(self, address: str) -> str | None:
        """None at all."""
        del address
        return None

    def meet(self, address: str, fingerprint: str) -> str:
        """Any will do."""
        del address
        return fingerprint

    def replace(self, address: str, fingerprint: str) -> None:
        """Forgotten at once."""


@dataclass(frozen=True, slots=True)
class OnlyKnown:
    """The servers met before, while others are looked at and not met: nothing is remembered."""

    known: Pins

    def pin_of(self, address: str) -> str | None:
        """The fingerprint that a server must prove; none if it was never met."""
        return self.known.pin_of(address)

    def meet(self, address: str, fingerprint: str) -> str:
        """What it is known by, or this."""
        return self.pin_of(address) or fingerprint

    def replace(self, address: str, fingerprint: str) -> None:
        """Forgotten at once."""


def _silent(sentence: str) -> None:
    del sentence


@dataclass(frozen=True, slots=True)
class Trust:
    """What someone goes by when they connect to servers."""

    pins: Pins = NoPins()
    tls: Tls = Tls.AUTO
    hearsay: bool = False
    """The invite was announced by whoever is on this network: what is remembered outweighs it.
    Otherwise a person handed it over, who knows better than the memory."""
    tell: Callable[[str], None] = _silent
    """Takes a sentence when a server is met for the first time, or is known by another pin."""

    def expected(self, invite: Invite) -> str | None:
        """The fingerprint that the server must prove; none if nothing is known of it."""
        known = self.pins.pin_of(invite.address)
        return known or invite.fingerprint if self.hearsay else invite.fingerprint or known

    def asks_for_tls(self, invite: Invite) -> bool:
        """Whether the connection has to be encrypted; a server known by a pin is never without.

        Raises ``Distrust`` where someone asks for both.
        """
        pinned = self.expected(invite) is not None
        if self.tls is Tls.NEVER:
            if pinned:
                raise _never_again(invite)
            return False
        return pinned or self.tls is Tls.ALWAYS or not is_loopback(invite.host)

    def takes_either(self, invite: Invite) -> bool:
        """Whether the server may encrypt or not: it is on this machine, and nothing is known of it.

        Then it is looked at first.
        """
        unknown = self.tls is Tls.AUTO and self.expected(invite) is None
        return unknown and is_loopback(invite.host)

    def accept(self, invite: Invite, shown: str) -> None:
        """Take a server for the one that is meant, and remember it, by the fingerprint it shows.

        Raises ``Distrust`` if it is another.
        """
        expected = self.expected(invite)
        if expected is not None and expected != shown:
            raise self._another(invite, expected, shown)
        if invite.fingerprint is None or self.hearsay:
            self._meet(invite, shown)
        else:
            self._keep(invite, shown)

    def no_tls(self, invite: Invite) -> Distrust:
        """What to say of a server that does not encrypt."""
        if self.expected(invite) is not None:
            return Distrust(
                "NOT_ENCRYPTED",
                f"the server at {invite.address} does not use TLS, though it is known by a "
                "certificate: somebody may be in between, or it was started with --tls never; "
                "nothing was sent to it",
            )
        return Distrust(
            "NOT_ENCRYPTED",
            f"the server at {invite.address} does not use TLS: whoever is on the way could read "
            "your cards and take your seat; start it with --tls auto, or say --tls never here "
            "if you accept that",
        )

    def _meet(self, invite: Invite, shown: str) -> None:
        if self.pins.pin_of(invite.address) is not None:
            return
        known = self.pins.meet(invite.address, shown)
        if known != shown:
            raise self._another(invite, known, shown)
        self.tell(
            f"first time at {invite.address}: from now on it is known by its certificate, "
            f"{read_aloud(shown)}"
        )

    def _keep(self, invite: Invite, shown: str) -> None:
        known = self.pins.pin_of(invite.address)
        if known != shown:
            self.pins.replace(invite.address, shown)
        if known not in (None, shown):
            self.tell(
                f"{invite.address} was known by another certificate, and is known by that of your "
                "invite from now on"
            )

    def _another(self, invite: Invite, expected: str, shown: str) -> Distrust:
        differ = f"its certificate is {read_aloud(shown)} instead of {read_aloud(expected)}"
        if invite.fingerprint is not None and not self.hearsay:
            return Distrust(
                "WRONG_FINGERPRINT",
                f"the server at {invite.address} is not the one that invited you: {differ}; "
                "somebody may be in between, or the invite is old: ask for a new one",
            )
        if expected == invite.fingerprint and self.pins.pin_of(invite.address) is None:
            return Distrust(
                "WRONG_FINGERPRINT",
                f"the server at {invite.address} is not the one that was announced: {differ}",
            )
        return Distrust(
            "CERTIFICATE_CHANGED",
            f"the server at {invite.address} is not the one met there before: {differ}; somebody "
            "may be in between, or it was set up anew: ask who runs it for its invite, and join "
            "with that",
        )


NO_MEMORY: Final = Trust()
"""Whoever is met is met for the first time."""


def _never_again(invite: Invite) -> Distrust:
    return Distrust(
        "NOT_ENCRYPTED",
        f"the server at {invite.address} is known by its certificate, so it is only talked to "
        "with TLS; leave --tls never out",
    )
