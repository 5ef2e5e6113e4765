"""How long a client tries again, and how it tells a break from an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from grpc import StatusCode

FATAL = frozenset(
    {
        StatusCode.UNAUTHENTICATED,
        StatusCode.PERMISSION_DENIED,
        StatusCode.NOT_FOUND,
        StatusCode.DATA_LOSS,
        StatusCode.INVALID_ARGUMENT,
        StatusCode.FAILED_PRECONDITION,
        StatusCode.UNIMPLEMENTED,
        StatusCode.ABORTED,
    }
)
"""Answers that trying again does not change."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait before trying again, and how often."""

    attempts: int = 200
    """In a row, before giving up."""
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def before(self, attempt: int) -> None:
        """Wait before an attempt, counted from 1: 0.2 s at first, 3 s at the most."""
        await self.pause(min(3.0, 0.2 * 2.0 ** (attempt - 1)))


PATIENT = Patience()
"""Ten minutes of trying again, as a person's client does."""
