"""What a killed process leaves behind goes, and what a living one works with stays."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from svc_ray.scratch import Scratch

RACE = """
import sys
from pathlib import Path
from svc_ray.scratch import Scratch
for _ in range(300):
    scratch = Scratch(Path(sys.argv[1]))
    (scratch.path / "model").mkdir()
    scratch.close()
"""

HOLD = """
import sys
from pathlib import Path
from svc_ray.scratch import Scratch
scratch = Scratch(Path(sys.argv[1]))
(scratch.path / "checkpoint").write_text("of a dead process")
print(scratch.path, flush=True)
sys.stdin.read()
"""


def test_removes_the_folder_of_a_process_that_was_killed_and_no_other(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        theirs = Path(other.stdout.readline().strip())
        first = Scratch(tmp_path)
        assert theirs.exists()
        other.send_signal(signal.SIGKILL)
        other.wait()
    second = Scratch(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([first.path, second.path])
    for scratch in (first, second):
        scratch.close()
    assert list(tmp_path.iterdir()) == []


def test_no_process_removes_the_folder_that_another_one_is_making(tmp_path: Path) -> None:
    others = [subprocess.Popen([sys.executable, "-c", RACE, str(tmp_path)]) for _ in range(3)]
    assert [other.wait() for other in others] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == []
