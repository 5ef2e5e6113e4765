"""Whose seat is whose: tokens, of which only digests are kept."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from hashlib import sha256

from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind
from hearts_replays.framing import digest, label, lp
from hearts_replays.keys import SigningKey

TOKEN_BYTES = 16
"""128 random bits cannot be guessed."""


def digest_of(secret: str) -> str:
    """What is kept of a token or request id."""
    return sha256(secret.encode()).hexdigest()


def is_secret(secret: str, kept: str) -> bool:
    """Whether this is the secret behind a digest; takes as long for a wrong one as for a right."""
    return bool(kept) and hmac.compare_digest(digest_of(secret), kept)


def token_for(key: SigningKey, table: str, request_id: str) -> str:
    """The token for a request to sit down at a table, which nobody else can make.

    It is the same for a repeat: one that a slow connection delivers late must not change it.
    """
    meant = label("hearts-token/v1") + lp(table.encode()) + lp(request_id.encode())
    return digest(key.sign(meant))[:TOKEN_BYTES].hex()


@dataclass(frozen=True, slots=True)
class Claim:
    """A token's hold on a seat."""

    seat: Seat
    name: str
    kind: SeatKind
    token_digest: str
    request_digest: str
    """Of the request that sat down, so that its repeat gives the same seat; may be empty."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The claims on the seats of one table."""

    claims: tuple[Claim, ...] = field(default=())

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token opens; takes as long for a wrong token as for a right one."""
        wanted, found = digest_of(token), None
        for claim in self.claims:
            if hmac.compare_digest(claim.token_digest, wanted):
                found = claim.seat
        return found

    def asked_for_by(self, request_id: str) -> Claim | None:
        """The claim that this very request was given before."""
        if not request_id:
            return None
        wanted = digest_of(request_id)
        return next((c for c in self.claims if c.request_digest == wanted), None)

    def on(self, seat: Seat) -> Claim | None:
        """The claim on a seat, if there is one."""
        return next((claim for claim in self.claims if claim.seat == seat), None)

    def given(self, claim: Claim) -> Seating:
        """The seating with this claim, and no other on its seat or of its request."""
        others = (
            other
            for other in self.freed(claim.seat).claims
            if not claim.request_digest or other.request_digest != claim.request_digest
        )
        return Seating((*others, claim))

    def freed(self, seat: Seat) -> Seating:
        """The seating in which no token opens the seat."""
        return Seating(tuple(claim for claim in self.claims if claim.seat != seat))
