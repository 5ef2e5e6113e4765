"""One process owns a data folder, for as long as it lives and no longer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hearts_replays.owner import OwnerLock

HOLDER = """
import sys
from pathlib import Path
sys.path[:] = {path!r}
from hearts_replays.owner import OwnerLock
owner = OwnerLock.acquire(Path(sys.argv[1]))
print("owner" if owner else "refused", flush=True)
sys.stdin.read()
"""


def start_holder(folder: Path) -> subprocess.Popen[str]:
    script = HOLDER.format(path=sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_the_folder_is_free_again_after_its_owner_is_killed(tmp_path: Path) -> None:
    with start_holder(tmp_path) as holder:
        assert said(holder) == "owner"
        assert OwnerLock.acquire(tmp_path) is None
        holder.kill()
        holder.wait()
        owner = OwnerLock.acquire(tmp_path)
    assert owner
    owner.release()


def test_another_process_is_told_at_once_that_the_folder_is_owned(tmp_path: Path) -> None:
    owner = OwnerLock.acquire(tmp_path)
    assert owner
    with owner, start_holder(tmp_path) as other:
        assert said(other) == "refused"
        other.communicate()


def test_one_process_cannot_own_a_folder_twice(tmp_path: Path) -> None:
    first = OwnerLock.acquire(tmp_path)
    assert first
    assert OwnerLock.acquire(tmp_path) is None
    first.release()
    first.release()
    second = OwnerLock.acquire(tmp_path)
    assert second
    second.release()


def test_the_folder_is_made_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "share" / "hearts"
    owner = OwnerLock.acquire(folder)
    assert owner
    with owner:
        assert folder.stat().st_mode & 0o777 == 0o700
