"""The training loop: steps, logs, evaluations and checkpoints, as events of the contract."""

from __future__ import annotations

import logging
import math
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch

from ..desk import Desk
from ..digests import describe_adapter
from ..materials import Materials
from ..outcome import Outcome, outcome_of
from ..reporter import Event
from .checkpoint import (
    Progress,
    list_checkpoints,
    prune_checkpoints,
    publish_folder,
    resume,
    save_checkpoint,
    saved_weights,
)
from .control import CancelledError, Control, PausedError
from .device import describe_device
from .goal import Evaluation, Goal, Metrics, StepGoal
from .goals import open_goal
from .group import Group
from .model import Model
from .optimizer import AdamW, gradient_norm
from .options import Options, parse_options
from .packing import Pass, pack
from .row_losses import Entries, RowLosses
from .rows import Row, Rows
from .steps import Plan, plan_steps, rows_of_steps, schedule_factor

log = logging.getLogger("svc_ray")


def train(materials: Materials, desk: Desk | None, group: Group, device: torch.device) -> Outcome:
    """Every worker of a group calls this; only the first one has a desk. Raises what only another one knows: the first
    one waits for it, until its death ends the group."""
    try:
        run = group.together(lambda: _Run(materials, Control(desk, group), group, device))
    except Exception as error:
        return _ending_of(error)
    try:
        return run.train()
    except Exception as error:
        if group.rank > 0 and not isinstance(error, CancelledError | _NotFiniteError):
            raise
        return _ending_of(error)


def _ending_of(error: Exception) -> Outcome:
    if isinstance(error, CancelledError):
        return Outcome("cancelled")
    if isinstance(error, torch.OutOfMemoryError):
        log.error("%s", error)
        return Outcome(
            "failed",
            error="The model and its adapter do not fit into the GPU's memory. "
            "Start the cloud with --base-weights nf4, choose a smaller model, lower lora.r, or use a larger GPU.",
        )
    return outcome_of(error)


class _NotFiniteError(ValueError):
    """All workers have the same numbers."""


@dataclass
class _Window:
    """Of this process since the last log. What survives a stop is in the progress."""

    tokens: int = 0
    seconds: float = 0.0
    parts: dict[str, list[float]] = field(default_factory=dict)
    """The seconds of the parts of each step, by name."""


class _Run:
    def __init__(self, materials: Materials, control: Control, group: Group, device: torch.device) -> None:
        run = materials.run
        self._materials = materials
        self._control = control
        self._group = group
        self._dry_run = bool(run.get("dryRun"))
        self._options: Options = parse_options(run["options"], dry_run=self._dry_run)
        self._rows = Rows(materials.training)
        if len(self._rows) == 0:
            raise ValueError("There are no rows to train on.")
        self._evaluation = Rows(materials.evaluation) if materials.evaluation else None
        if self._evaluation is not None and next(iter(self._evaluation), None) is None:
            self._evaluation = None
        self._plan: Plan = plan_steps(len(self._rows), self._options)
        self._rows_of = rows_of_steps(self._rows, self._plan, self._options.seed)
        weights = saved_weights(materials.folder) or run.get("weights") or "f32"
        self._model = Model(materials.model, self._options, run["model"]["name"], device, weights)
        self._adapter = self._model.adapter
        self._optimizer = AdamW(self._adapter.matrices, self._options.weight_decay)
        self._progress = Progress(
            fingerprint=materials.claim["rows"]["fingerprint"],
            updates=self._options.rewards.updates if self._options.rewards else 1,
            weights=weights,
        )
        self._goal: Goal = open_goal(materials, self._options, self._model, self._rows, self._evaluation, control)
        self._row_losses: RowLosses | None = None
        self._window = _Window()
        self._trained: dict[str, Any] = {"loss": None}
        self._evaluated: Evaluation | None = None
        self._unsaved: float | None = None
        """The rank of an evaluation after the last checkpoint."""
        self._started = self._prepare()

    def train(self) -> Outcome:
        self._control.emit(self._started)
        try:
            outcome = self._take_steps()
            self._control.require_sent()
            return outcome
        finally:
            # Past the last checkpoint, so a resumed run writes them again.
            if self._row_losses:
                with suppress(Exception):
                    self._row_losses.save()

    def _take_steps(self) -> Outcome:
        progress, plan = self._progress, self._plan
        # A run that was paused while an evaluation waited for rewards has saved the step before it, and has yet to
        # report it.
        is_saved = bool(progress.losses) and self._reports(progress.step)
        while is_saved or progress.step < plan.total_steps:
            try:
                if not is_saved:
                    self._take_step(self._rate_of(progress.step + 1))
                if self._evaluates(progress.step):
                    self._evaluate()
            except PausedError:
                return self._pause()
            step = progress.step
            if self._reports(step):
                self._log()
            if step == plan.total_steps:
                break
            pauses = self._control.wants_pause()
            if not is_saved and (pauses or _is_due(step, self._options.save_steps)):
                self._save()
            if pauses:
                return Outcome("paused")
            is_saved = False
        self._complete()
        return Outcome("completed")

    def _evaluates(self, step: int) -> bool:
        due = step == self._plan.total_steps or _is_due(step, self._options.eval_steps)
        return self._evaluation is not None and due

    def _reports(self, step: int) -> bool:
        is_last = step == self._plan.total_steps
        return self._evaluates(step) or is_last or _is_due(step, self._options.logging_steps)

    def _rate_of(self, step: int) -> float:
        """The learning rate. Steps count from 1."""
        return self._options.learning_rate * schedule_factor(step - 1, self._options, self._plan.total_steps)

    def _pause(self) -> Outcome:
        """In the middle of a step, which is taken again, or of the evaluation after one."""
        step = self._progress.step
        if step > 0 and step not in list_checkpoints(self._materials.folder):
            self._save()
        return Outcome("paused")

    def _prepare(self) -> Event:
        """Returns what to say when training starts."""
        saved, damaged = resume(self._materials.folder, self._adapter, self._optimizer)
        if saved:
            self._progress = saved
        else:
            self._adapter.load(self._materials.initial)
        # Answers are not known before.
        learns_rows = self._options.rewards is None
        if self._group.rank == 0 and not self._dry_run and learns_rows:
            self._row_losses = self._open_row_losses()
        self._measure()
        claim = self._materials.claim
        started: Event = {
            "type": "training.started",
            "model": claim["run"]["model"]["name"],
            "dataset": claim["rows"]["name"],
            "totalSteps": self._plan.total_steps,
            "device": describe_device(self._model.device),
            "trainableParameters": sum(m.values.numel() for m in self._adapter.matrices),
            "trainTokens": sum(row.labels for row in self._rows) if learns_rows else None,
            **_row_counts(claim["rows"]),
        }
        # In plain bfloat16, as a GPU has them, they have no name.
        if self._progress.weights != "f32" or self._model.device.type == "cpu":
            started["weights"] = self._progress.weights
        if claim["rows"].get("tooLong"):
            started["tooLong"] = claim["rows"]["tooLong"]
        if saved:
            started["resumedFromStep"] = saved.step
        if damaged:
            started["damagedCheckpoints"] = damaged
        return started

    def _measure(self) -> None:
        """Whether rows are short enough and, on a GPU, how large passes may be."""
        method, rows_per_step = self._options.rewards, self._plan.rows_per_step
        longest, evaluated = self._rows.longest, self._evaluation.longest if self._evaluation else 0
        longest_text = max(rows.longest_text for rows in (self._rows, self._evaluation) if rows)
        if method:
            # With their answers.
            longest = min(max(longest, evaluated) + method.max_tokens, max(longest, self._options.max_length))
            rows_per_step, evaluated, longest_text = rows_per_step * method.group, 0, longest
        self._model.require_short(longest_text)
        if self._model.device.type == "cuda":
            self._model.measure(longest, evaluated, rows_per_step, self._control.tick)

    def _open_row_losses(self) -> RowLosses:
        return RowLosses(
            self._materials.folder,
            rows=len(self._rows),
            visits=self._plan.total_steps * self._plan.rows_per_step,
            # Those of the data set come before replayed ones.
            up_to=self._materials.claim["rows"]["data"][0]["rows"],
            after_step=self._progress.step,
            check=self._control.check,
        )

    def _take_step(self, rate: float) -> None:
        began = time.perf_counter()
        step = self._progress.step
        goal = self._goal.prepare(self._rows_of(step), step)
        loss = 0.0
        entries: Entries | None = None
        for update in range(goal.updates):
            found, entries = self._update(goal, update, rate)
            loss += found / goal.updates
        self._progress.step += 1
        self._progress.losses.append(loss)
        for name, value in goal.metrics().items():
            # JSON has no infinite ones, such as the spread of huge rewards.
            if math.isfinite(value):
                self._progress.metrics.setdefault(name, []).append(value)
        if self._row_losses and entries is not None:
            self._row_losses.add(self._progress.step, entries)
        tokens = goal.updates * sum(map(len, goal.rows))
        self._progress.tokens += tokens
        self._window.tokens += tokens
        spent = time.perf_counter() - began
        self._window.seconds += spent
        if goal.seconds:
            # Training has what the other parts of a step leave of it.
            rest = max(0.0, spent - sum(goal.seconds.values()))
            for name, seconds in {**goal.seconds, "trainingSeconds": rest}.items():
                self._window.parts.setdefault(name, []).append(seconds)

    def _update(self, goal: StepGoal, update: int, rate: float) -> tuple[float, Entries | None]:
        """Returns its loss, on all workers, and the losses of the rows."""
        found, entries = self._add_gradients(goal, update)
        step, matrices = self._progress.step + 1, self._adapter.matrices
        loss = _finite(found, f"The loss of step {step}")
        norm = _finite(gradient_norm(matrices), f"The gradient of step {step}")
        most = self._options.max_grad_norm
        self._optimizer.step(rate, min(1.0, most / (norm + 1e-6)))
        return loss, entries

    def _add_gradients(self, goal: StepGoal, update: int) -> tuple[float, Entries | None]:
        for matrix in self._adapter.matrices:
            matrix.values.grad = torch.zeros_like(matrix.values)
        sums = [m.values.grad for m in self._adapter.matrices if m.values.grad is not None]
        members: list[Row] = []
        losses = [torch.zeros(0, device=self._model.device)]
        for i, whole in enumerate(pack(self._group.share(goal.rows), self._model.drawn_tokens)):
            # Several workers, and several updates, draw different numbers; there are never both.
            part = (self._group.rank,) if self._group.size > 1 else (update,) if update > 0 else ()
            purpose = (self._progress.step, i, *part)
            self._control.tick()
            # A part counts once all of its gradients are there: memory may run out in its middle.
            for taken, (found, gradients) in self._model.in_parts(whole, partial(self._gradients, goal, purpose)):
                self._control.tick()
                members += taken.members
                losses.append(found)
                torch._foreach_add_(sums, gradients)
        self._group.sum_values(sums)
        # The step's only wait for the GPU, but for the norm.
        known = torch.cat(losses).cpu().numpy()
        entries = goal.entries(members, known)
        if entries is not None:
            entries = self._group.gather(entries)
        return self._group.sum_number(goal.read(members, known)), entries

    def _gradients(self, goal: StepGoal, purpose: tuple[int, ...], taken: Pass) -> Any:
        return self._model.gradients(taken, goal.weigh(taken), purpose)

    def _evaluate(self) -> None:
        step = self._progress.step
        found = self._goal.evaluate(step)
        rank = _rounded(_finite(found.rank, f"The evaluation at step {step}"))
        loss = None if found.loss is None else rank
        metrics = {name: _rounded(value) for name, value in found.metrics.items() if math.isfinite(value)}
        self._evaluated = Evaluation(loss, rank, metrics)
        self._unsaved = rank

    def _log(self) -> None:
        progress, window = self._progress, self._window
        self._trained = {"loss": _mean(progress.losses)}
        means = {name: _mean(values) for name, values in progress.metrics.items()}
        self._trained |= {name: mean for name, mean in means.items() if math.isfinite(mean)}
        event: dict[str, Any] = {
            "type": "training.log",
            "step": progress.step,
            **self._trained,
            "tokens": progress.tokens,
            # Of this process, if it took a step.
            **({"tokensPerSecond": round(window.tokens / window.seconds)} if window.seconds else {}),
            "learningRate": _rounded(self._rate_of(progress.step)),
            "epoch": _rounded(progress.step / self._plan.steps_per_epoch),
        }
        if self._evaluated and self._evaluates(progress.step):
            event |= _named(self._evaluated)
        event |= {name: round(sum(parts) / len(parts), 3) for name, parts in window.parts.items()}
        progress.losses, progress.metrics, progress.tokens = [], {}, 0
        self._window = _Window()
        self._control.emit(event)

    def _save(self) -> None:
        folder, progress = self._materials.folder, self._progress
        # Only saved checkpoints can be the best.
        if self._unsaved is not None and self._unsaved < (progress.best or {"loss": math.inf})["loss"]:
            progress.best = {"step": progress.step, "loss": self._unsaved}
        self._unsaved = None
        if self._group.rank != 0:
            return
        partial = folder / f"checkpoint-{progress.step}.partial"

        def save() -> Path:
            if self._row_losses:
                self._row_losses.save()
            return save_checkpoint(folder, progress, self._adapter, self._optimizer, self._control.check)

        path = self._control.save(
            save,
            lambda: shutil.rmtree(partial, ignore_errors=True),
        )
        best = progress.best["step"] if progress.best else None
        prune_checkpoints(folder, self._options.keep_checkpoints, best)
        artifact = describe_adapter(path, "checkpoint", progress.step)
        event = {"type": "checkpoint.saved", "step": progress.step, "artifacts": [artifact]}
        self._control.emit(event, path)

    def _complete(self) -> None:
        loss, measured = self._trained["loss"], {k: v for k, v in self._trained.items() if k != "loss"}
        evaluated = _named(self._evaluated) if self._evaluated else {}
        metrics = {**measured, "evalLoss": None, **evaluated, "trainLoss": loss}
        if self._group.rank != 0:
            return
        if self._dry_run:
            self._control.emit({"type": "training.completed", "artifacts": [], "metrics": metrics})
            return
        folder = self._materials.folder
        final, partial = folder / "final", folder / "final.partial"

        def save() -> Path:
            if self._row_losses:
                self._row_losses.save()
            self._adapter.save(partial)
            return publish_folder(partial, final, self._control.check)

        self._control.save(save, lambda: shutil.rmtree(partial, ignore_errors=True))
        artifacts = [
            describe_adapter(folder / f"checkpoint-{step}", "checkpoint", step) for step in list_checkpoints(folder)
        ]
        artifacts.append(describe_adapter(final, "final", self._progress.step))
        event = {"type": "training.completed", "artifacts": artifacts, "metrics": metrics}
        self._control.emit(event, final)


def _row_counts(rows: dict[str, Any]) -> dict[str, int]:
    counts = {name: known["rows"] for name, known in zip(("rows", "evalRows"), rows["data"], strict=False)}
    replayed = sum(known["rows"] for known in rows.get("replayed", []))
    return counts if replayed == 0 else {**counts, "replayedRows": replayed}


def _named(evaluation: Evaluation) -> Metrics:
    """As an event has what was evaluated."""
    named = {f"eval{name[0].upper()}{name[1:]}": value for name, value in evaluation.metrics.items()}
    return named if evaluation.loss is None else {**named, "evalLoss": evaluation.loss}


def _mean(values: list[float]) -> float:
    return _rounded(sum(values) / len(values))


def _is_due(step: int, every: int | None) -> bool:
    return every is not None and step % every == 0


def _finite(value: float, what: str) -> float:
    if math.isfinite(value):
        return value
    raise _NotFiniteError(f"{what} is not a finite number. Try a lower learning rate.")


def _rounded(value: float) -> float:
    """As many digits as single precision has."""
    return float(f"{value:.7g}")
