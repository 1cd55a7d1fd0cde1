"""`python -m svc_ray.local`: trains one attempt for the cloud on this machine, which starts this process and reads
what it saves. The first line of input is the run; PROTOCOL.md has the others. Needs no Ray."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from .local_desk import LocalDesk, Pipes
from .machine import require_torch
from .materials import Materials, require_format
from .outcome import DONE, Outcome, configure_logs, exit_code, outcome_of, reporting_exit


def main() -> int:
    pipes = Pipes()
    configure_logs()
    # Ctrl-C reaches every process of the terminal; the cloud decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line = pipes.input.readline()
    if not line:
        return DONE
    materials = to_materials(json.loads(line))
    return reporting_exit(lambda: _run(materials, pipes))


def to_materials(given: dict[str, Any]) -> Materials:
    rows = given["rows"]
    evaluation = rows.get("evaluationPath")
    return Materials(
        claim={"run": given["run"], "rows": rows},
        model=Path(given["modelFolder"]),
        training=Path(rows["trainingPath"]),
        evaluation=Path(evaluation) if evaluation else None,
        initial=Path(given["initialPath"]),
        folder=Path(given["folder"]),
    )


def _run(materials: Materials, pipes: Pipes) -> int:
    desk = LocalDesk(pipes, materials.run, materials.folder)
    desk.start()
    outcome = _train(materials, desk)
    desk.finish(outcome)
    return exit_code(outcome)


def _train(materials: Materials, desk: LocalDesk) -> Outcome:
    try:
        require_format(materials.run)
        require_torch()
        # PyTorch takes seconds to load.
        from .torch_engine.device import choose_device
        from .torch_engine.engine import train
        from .torch_engine.group import Group

        desk.start_beats()
        if desk.want == "cancel":
            return Outcome("cancelled")
        return train(materials, desk, Group(), choose_device())
    except Exception as error:
        return outcome_of(error)


if __name__ == "__main__":
    sys.exit(main())
