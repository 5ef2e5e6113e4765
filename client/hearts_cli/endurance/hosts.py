"""A server as a process of its own, which can be killed at any instant and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

SECONDS = 30.0
"""After which a server that should be up, or gone, is at fault."""

_POLL = 0.005


class Stuck(Exception):
    """A server that does not come up, or does not go."""


@dataclass(frozen=True, slots=True)
class Host:
    """One `hearts serve` process."""

    process: subprocess.Popen[bytes]
    port: int

    @classmethod
    def start(cls, data: Path, port: int, output: Path) -> Host:
        """Start a server on this data folder and port, whose words go to the end of a file."""
        command = (sys.executable, "-m", "hearts_cli", "serve")
        arguments = ("--host", "127.0.0.1", "--port", str(port), "--data", str(data))
        sources = os.pathsep.join(path for path in sys.path if path)
        with output.open("ab") as words:
            process = subprocess.Popen(  # noqa: S603  (our own command)
                (*command, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                env={**os.environ, "PYTHONPATH": sources, "PYTHONUNBUFFERED": "1"},
            )
        return cls(process, port)

    def answers(self) -> bool:
        """Wait until it takes connections; false if it ended before."""
        limit = time.monotonic() + SECONDS
        while time.monotonic() < limit:
            if self.process.poll() is not None:
                return False
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return True
            time.sleep(_POLL)
        raise Stuck(f"nothing answers on port {self.port} after {SECONDS} s")

    def kill(self) -> None:
        """Leave it no time for anything."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Tell it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise Stuck(f"told to stop, it runs on after {SECONDS} s") from None


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
