"""Who owns a data folder: the process that may go on with the unfinished games in it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Self

from filelock import FileLock, Timeout

LOCK_NAME: Final = "owner.lock"


class OwnerLock:
    """The right to the unfinished games of a data folder, until released: keep hold of it.

    The operating system ends it with the process, however that ends.
    """

    def __init__(self, lock: FileLock) -> None:
        self._lock = lock

    @classmethod
    def acquire(cls, folder: Path) -> OwnerLock | None:
        """Become the owner, or none if another process, or another lock of this one, is.

        Does not wait. Makes the folder, for this user alone, if there is none.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK_NAME, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return None
        return cls(lock)

    def release(self) -> None:
        """Let another process become the owner; once is enough, twice does no harm."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
