"""`.venv/bin/python -m bench.against_peft`, or `npm run bench -- ray-peft`: a step of svc's engine of PyTorch against
one of a plain loop with PEFT, on the same rows of an example, in turns, on this machine's CPUs. Also by how much its
losses differ from those of svc's own engine. The last line is JSON."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.materials import Materials
from svc_ray.torch_engine.engine import train
from svc_ray.torch_engine.group import Group
from svc_ray.torch_engine.options import Options, parse_options
from svc_ray.torch_engine.rows import Row, Rows
from svc_ray.torch_engine.steps import plan_steps, rows_of_steps
from tests.reference import MODEL, Reference, run_reference, to_claim
from tests.scripted_desk import ScriptedDesk

STEPS, TURNS = 20, 5
COMPARED_STEPS = 100
OPTIONS: dict[str, Any] = {
    "loraR": 16,
    "loraAlpha": 32,
    "batchSize": 16,
    "maxSteps": STEPS,
    "loggingSteps": 1,
    "saveSteps": None,
    "evalSteps": None,
    "learningRate": 0.002,
}
_IGNORED = -100


class TimedDesk(ScriptedDesk):
    """Notes when each step was logged."""

    def __init__(self, sent: Path) -> None:
        super().__init__(sent)
        self.times: list[float] = []

    def emit(self, event: dict[str, Any]) -> None:
        if event["type"] in ("training.started", "training.log"):
            self.times.append(time.perf_counter())
        super().emit(event)


def train_here(reference: Reference, folder: Path) -> TimedDesk:
    materials = Materials(
        claim=to_claim(reference),
        model=MODEL,
        training=reference.folder / "training.safetensors",
        evaluation=None,
        initial=reference.folder / "initial" / ADAPTER_TENSORS,
        folder=folder,
    )
    folder.mkdir()
    desk = TimedDesk(folder / "sent")
    outcome = train(materials, desk, Group(), torch.device("cpu"))
    if outcome.status != "completed":
        raise RuntimeError(outcome.error)
    return desk


def time_svc(reference: Reference, folder: Path) -> list[float]:
    times = train_here(reference, folder).times
    return [after - before for before, after in pairwise(times)]


def compare_losses(folder: Path) -> dict[str, Any]:
    """The largest difference of a logged loss from that of svc's own engine, as a share of it."""
    reference = run_reference(folder / "own", {**OPTIONS, "maxSteps": COMPARED_STEPS}, rows=600)
    logs = train_here(reference, folder / "torch").logs
    off = [abs(log["loss"] / other["loss"] - 1) for log, other in zip(logs, reference.logs, strict=True)]
    worst = max(range(len(off)), key=off.__getitem__)
    return {"steps": len(off), "largest": off[worst], "atStep": logs[worst]["step"], "loss": logs[worst]["loss"]}


def time_peft(rows: Rows, options: Options) -> list[float]:
    """What a tutorial does: padded batches, the model's own loss, the optimizer of PyTorch."""
    base = AutoModelForCausalLM.from_pretrained(MODEL, dtype=torch.float32, local_files_only=True)
    base.config.use_cache = False
    config = LoraConfig(
        r=options.lora_r,
        lora_alpha=int(options.lora_alpha),
        target_modules=list(options.target_modules),
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(base, config)
    model.train()
    trained = [values for values in model.parameters() if values.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=options.learning_rate, weight_decay=options.weight_decay)
    rows_of = rows_of_steps(rows, plan_steps(len(rows), options), options.seed)
    seconds = []
    for step in range(STEPS):
        began = time.perf_counter()
        optimizer.zero_grad()
        loss = model(**to_batch(rows_of(step))).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, options.max_grad_norm)
        optimizer.step()
        loss.item()
        seconds.append(time.perf_counter() - began)
    return seconds


def to_batch(rows: list[Row]) -> dict[str, torch.Tensor]:
    shape = (len(rows), max(map(len, rows)))
    ids, mask = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64)
    labels = torch.full(shape, _IGNORED, dtype=torch.int64)
    for i, row in enumerate(rows):
        values = torch.from_numpy(row.ids.astype("int64"))
        ids[i, : len(row)], mask[i, : len(row)] = values, 1
        labels[i, : len(row)] = torch.where(torch.from_numpy(row.learned) == 1, values, _IGNORED)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def main() -> None:
    svc: list[float] = []
    plain: list[float] = []
    with tempfile.TemporaryDirectory(prefix="svc-ray-bench-") as name:
        folder = Path(name)
        reference = run_reference(folder / "reference", {**OPTIONS, "maxSteps": 1}, rows=600)
        reference.options["maxSteps"] = STEPS
        rows, options = Rows(reference.folder / "training.safetensors"), parse_options(reference.options)
        ratios = []
        for turn in range(TURNS):
            took = time_svc(reference, folder / f"run-{turn}"), time_peft(rows, options)
            svc += took[0]
            plain += took[1]
            ratios.append(sum(took[0]) / sum(took[1]))
        compared = compare_losses(folder)
    mine, other = statistics.median(svc), statistics.median(plain)
    sys.stdout.write(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {STEPS} steps in {TURNS} turns\n")
    sys.stdout.write(f"svc {1000 * mine:.0f} ms a step, plain PEFT {1000 * other:.0f} ms, ratio {mine / other:.2f}\n")
    sys.stdout.write(f"ratios of turns: {', '.join(f'{ratio:.2f}' for ratio in ratios)}\n")
    sys.stdout.write(f"losses over {compared['steps']} steps: within {100 * compared['largest']:.2g} %\n")
    figures = {
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "svc": 1000 * mine,
        "peft": 1000 * other,
        "ratio": mine / other,
        "turns": ratios,
        "losses": compared,
    }
    sys.stdout.write(f"{json.dumps(figures)}\n")


if __name__ == "__main__":
    main()
