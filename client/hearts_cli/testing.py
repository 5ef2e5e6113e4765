"""Support for tests of the `hearts` command: run in processes, pipes and pseudo-terminals.

Needs the emulator pyte, which players do not.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping
from queue import Queue

import pyte

PATIENCE = 60.0
"""Seconds after which something that should have happened has not."""

_COMMAND = (sys.executable, "-m", "hearts_cli")


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    sources = os.pathsep.join(path for path in sys.path if path)
    return {**os.environ, "PYTHONPATH": sources, "PYTHONUNBUFFERED": "1", **extra}


class Hearts:
    """A `hearts` command that runs, and what it prints."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        within: tuple[str, ...] = (),
    ) -> None:
        """``within`` is a command that runs another, such as in a network of its own."""
        self._process = subprocess.Popen(  # noqa: S603  (our own command)
            (*within, *_COMMAND, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=_environment(environment),
        )
        self._printed: Queue[str | None] = Queue()
        # Read all the time: a command whose pipe is full would wait, and others with it.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.lines: list[str] = []

    def until(self, wanted: str) -> str:
        """The first line from here on with this in it; fails if the output ends before."""
        while (line := self._printed.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
            if wanted in line:
                return line
        raise AssertionError(f"no {wanted!r} in:\n" + "\n".join(self.lines))

    def end(self) -> int:
        """The exit code, when it has printed everything."""
        while (line := self._printed.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
        return self._process.wait(PATIENCE)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal; SIGKILL leaves it no time for anything."""
        self._process.send_signal(number)
        if number == signal.SIGKILL:
            self._process.wait(PATIENCE)

    def close(self) -> None:
        """Make sure that nothing is left running."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                self._printed.put(line.rstrip("\n"))
        self._printed.put(None)


class Terminal:
    """A `hearts` command in a pseudo-terminal, drawn by an emulator."""

    def __init__(self, arguments: tuple[str, ...], columns: int, rows: int) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            extra = {"TERM": "xterm"}
            os.execve(  # noqa: S606
                _COMMAND[0],
                (*_COMMAND, *arguments),
                _environment({**extra, "LANG": "C.UTF-8", "PROMPT_TOOLKIT_NO_CPR": "1"}),
            )
        self.resize(columns, rows)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._end, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller, as its user does."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def shows(self, wanted: str) -> str:
        """The screen, once this is on it; fails if it never is."""
        return self.shows_one_of(wanted)

    def shows_one_of(self, *wanted: str) -> str:
        """The screen, once one of these is on it; fails if none ever is."""
        return self._until(lambda: any(text in self.text for text in wanted), str(wanted))

    def changes(self, before: str) -> str:
        """The screen, once it is another than before; fails if it never is."""
        return self._until(lambda: self.text != before, "change")

    def _until(self, condition: Callable[[], bool], wanted: str) -> str:
        limit = time.monotonic() + PATIENCE
        while not condition():
            left = limit - time.monotonic()
            ready, _, _ = select.select([self._end], [], [], max(0.0, left))
            assert ready, f"no {wanted} on:\n{self.text}"
            self._read()
        return self.text

    @property
    def pid(self) -> int:
        """The process."""
        return self._pid

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(self._screen.display)

    def end(self) -> int:
        """The exit code, when it has drawn everything."""
        while True:
            try:
                self._read()
            except (OSError, EOFError):
                break
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """Leave it no time for anything."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._pid = 0

    def close(self) -> None:
        """Make sure that nothing is left running."""
        if self._pid:
            self.kill()
        os.close(self._end)

    def _read(self) -> None:
        data = os.read(self._end, 65536)
        if not data:
            raise EOFError
        self.raw += data
        self._stream.feed(data)


StartHearts = Callable[..., Hearts]
StartTerminal = Callable[..., Terminal]
