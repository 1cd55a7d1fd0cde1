"""The engine of PyTorch learns from rewards as svc's own engine does: from the same answers, with the same figures."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer

from svc_ray.digests import is_intact
from svc_ray.outcome import Outcome
from svc_ray.torch_engine.engine import train
from svc_ray.torch_engine.group import Group

from .reference import MODEL, Reference, run_reference
from .scripted_desk import ScriptedDesk
from .test_torch_engine import materials_of

METHOD: dict[str, Any] = {
    "type": "grpo",
    "reward": {"type": "function"},
    "group": 4,
    "updates": 1,
    "beta": 0.04,
    "epsilon": 0.2,
    "temperature": 1,
    "maxTokens": 10,
}
OPTIONS: dict[str, Any] = {
    "loraR": 4,
    "loraAlpha": 8,
    "batchSize": 3,
    "maxSteps": 5,
    "learningRate": 0.004,
    "loggingSteps": 1,
    "evalSteps": 2,
    "saveSteps": 2,
    "method": METHOD,
}
TEXT = Tokenizer.from_file(str(MODEL / "tokenizer.json"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    return run_reference(tmp_path_factory.mktemp("rewards"), OPTIONS, rows=24, evaluation=5)


def by_letters(answer: dict[str, Any]) -> dict[str, Any]:
    """As `tests/ray/reference.ts` does."""
    text: str = answer["text"] if "text" in answer else TEXT.decode(answer["ids"])
    return {"reward": len(re.findall("[a-m]", text, re.IGNORECASE)) / max(1, len(text))}


def open_desk(folder: Path, **given: Any) -> ScriptedDesk:
    desk = ScriptedDesk(folder, **given)
    desk.reward = by_letters
    return desk


def train_here(home: Reference, desk: ScriptedDesk, folder: Path, **changes: Any) -> Outcome:
    """`changes` are those of the method."""
    options = {**home.options, "method": {**home.options["method"], **changes}}
    materials = materials_of(home, folder, options=options)
    return train(materials, desk, Group(), torch.device("cpu"))


def measured(logs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without how long it took."""
    left_out = ("type", "tokensPerSecond", "rolloutSeconds", "rewardSeconds", "trainingSeconds")
    return [{name: value for name, value in log.items() if name not in left_out} for log in logs]


@pytest.fixture(scope="module")
def undisturbed(home: Reference, tmp_path_factory: pytest.TempPathFactory) -> ScriptedDesk:
    folder = tmp_path_factory.mktemp("undisturbed")
    desk = open_desk(folder / "sent")
    assert train_here(home, desk, folder / "run") == Outcome("completed")
    return desk


def test_answers_rewards_and_losses_are_those_of_the_node_engine(home: Reference, undisturbed: ScriptedDesk) -> None:
    desk = undisturbed
    assert [log["step"] for log in desk.logs] == [1, 2, 3, 4, 5]
    assert desk.events[0]["trainTokens"] is None
    assert {name for name in desk.logs[0] if "Seconds" in name} == {
        "rolloutSeconds",
        "rewardSeconds",
        "trainingSeconds",
    }
    logs = [{**theirs, **theirs["metrics"]} for theirs in home.logs]
    for whole, log, expected in zip(desk.logs, measured(desk.logs), measured(logs), strict=True):
        del expected["metrics"]
        assert set(log) == set(expected)
        assert all(whole[name] >= 0 for name in whole if "Seconds" in name)
        assert ("evalReward" in log) == (log["step"] in (2, 4, 5))
        for name, value in expected.items():
            assert log[name] == pytest.approx(value, rel=1e-2, abs=1e-3), f"{name} of step {log['step']}"
    # Further apart than the noise of single precision.
    assert desk.logs[-1]["kl"] > 1e-3
    final = desk.events[-1]["metrics"]
    assert {name: final[name] for name in ("trainLoss", "evalLoss", "evalReward", "reward")} == {
        "trainLoss": desk.logs[-1]["loss"],
        "evalLoss": None,
        "evalReward": desk.logs[-1]["evalReward"],
        "reward": desk.logs[-1]["reward"],
    }


def test_asks_for_rewards_by_the_places_of_rows(undisturbed: ScriptedDesk) -> None:
    questions = undisturbed.questions
    assert [question["step"] for question in questions] == [1, 2, 2, 3, 4, 4, 5, 5]
    training, evaluation = questions[1], questions[2]
    assert [len(group["answers"]) for group in training["groups"]] == [4, 4, 4]
    # Held-out rows come after all others.
    assert [group["row"] for group in evaluation["groups"]] == [24, 25, 26, 27, 28]
    assert all(0 <= group["row"] < 24 for group in training["groups"])
    (ids,) = training["groups"][0]["answers"][0].values()
    assert 0 < len(ids) <= 10


def test_learns_what_gets_rewards(home: Reference, tmp_path: Path) -> None:
    desk = open_desk(tmp_path / "sent")
    options = {**home.options, "maxSteps": 25, "learningRate": 0.03, "evalSteps": None, "saveSteps": None}
    materials = materials_of(home, tmp_path / "run", options=options)
    assert train(materials, desk, Group(), torch.device("cpu")) == Outcome("completed")
    rewards = [log["reward"] for log in desk.logs]
    assert sum(rewards[-5:]) > sum(rewards[:5]) + 5 * 0.15


def test_a_run_that_is_paused_while_it_waits_goes_on_with_the_same_answers(
    home: Reference, undisturbed: ScriptedDesk, tmp_path: Path
) -> None:
    first, second = (open_desk(tmp_path / name) for name in ("a", "b"))

    # The first question of step 3 is not answered, as when the program is gone.
    asked = first.ask_rewards

    def ask(question: dict[str, Any]) -> Any:
        if question["step"] == 3:
            first._wants = {2: "pause"}
            return None
        return asked(question)

    first.ask_rewards = ask  # type: ignore[method-assign]
    assert train_here(home, first, tmp_path / "run") == Outcome("paused")
    assert is_intact(tmp_path / "run" / "checkpoint-2")
    assert train_here(home, second, tmp_path / "run") == Outcome("completed")
    assert second.events[0]["resumedFromStep"] == 2
    assert measured(first.logs + second.logs) == measured(undisturbed.logs)
    assert second.questions == [question for question in undisturbed.questions if question["step"] > 2]


def test_a_run_that_waits_between_checkpoints_keeps_its_steps(home: Reference, tmp_path: Path) -> None:
    whole, first, second = (open_desk(tmp_path / name) for name in ("a", "b", "c"))
    options = {**home.options, "saveSteps": None, "loggingSteps": 2, "evalSteps": None}
    run = materials_of(home, tmp_path / "run", options=options)
    train(materials_of(home, tmp_path / "whole", options=options), whole, Group(), torch.device("cpu"))
    asked = first.ask_rewards

    def ask(question: dict[str, Any]) -> Any:
        if question["step"] < 4:
            return asked(question)
        first._wants = {1: "pause"}
        return None

    first.ask_rewards = ask  # type: ignore[method-assign]
    assert train(run, first, Group(), torch.device("cpu")) == Outcome("paused")
    assert [event["step"] for event in first.events if event["type"] == "checkpoint.saved"] == [3]
    assert train(run, second, Group(), torch.device("cpu")) == Outcome("completed")
    # A log has the means of its steps, also of those before the pause.
    assert measured(first.logs + second.logs) == measured(whole.logs)


@pytest.mark.parametrize("step", [2, 5])
def test_a_run_that_is_paused_in_an_evaluation_reports_the_step_before_it_once_it_goes_on(
    home: Reference, undisturbed: ScriptedDesk, tmp_path: Path, step: int
) -> None:
    first, second = (open_desk(tmp_path / name) for name in ("a", "b"))
    asked = first.ask_rewards

    def ask(question: dict[str, Any]) -> Any:
        if question["step"] < step or len(question["groups"][0]["answers"]) > 1:
            return asked(question)
        first._wants = {step - 1: "pause"}
        return None

    first.ask_rewards = ask  # type: ignore[method-assign]
    assert train_here(home, first, tmp_path / "run") == Outcome("paused")
    assert is_intact(tmp_path / "run" / f"checkpoint-{step}")
    assert train_here(home, second, tmp_path / "run") == Outcome("completed")
    assert second.events[0]["resumedFromStep"] == step
    assert measured(first.logs + second.logs) == measured(undisturbed.logs)
    assert "tokensPerSecond" not in second.logs[0]
    # The evaluation is asked again, with the same answers.
    assert second.questions == undisturbed.questions[len(undisturbed.questions) - len(second.questions) :]
    assert {question["step"] for question in second.questions} == set(range(step, 6))


def test_learns_several_times_from_the_same_answers_as_the_node_engine_does(tmp_path: Path) -> None:
    method = {**METHOD, "updates": 3, "epsilon": 0.02}
    options = {**OPTIONS, "maxSteps": 4, "evalSteps": None, "method": method}
    home = run_reference(tmp_path / "home", options, rows=24)
    whole, first, second = (open_desk(tmp_path / name) for name in ("a", "b", "c"))
    assert train_here(home, whole, tmp_path / "whole") == Outcome("completed")
    assert [question["step"] for question in whole.questions] == [1, 2, 3, 4]
    for log, theirs in zip(whole.logs, home.logs, strict=True):
        assert 0 < log["clippedTokens"] < 2 / 3
        for name, value in {"loss": theirs["loss"], **theirs["metrics"]}.items():
            if "Seconds" not in name:
                assert log[name] == pytest.approx(value, rel=1e-2, abs=2e-3), f"{name} of step {log['step']}"

    # It goes on exactly, with as many updates of its optimizer behind it.
    asked = first.ask_rewards

    def ask(question: dict[str, Any]) -> Any:
        if question["step"] < 3:
            return asked(question)
        first._wants = {2: "pause"}
        return None

    first.ask_rewards = ask  # type: ignore[method-assign]
    assert train_here(home, first, tmp_path / "run") == Outcome("paused")
    assert train_here(home, second, tmp_path / "run") == Outcome("completed")
    assert second.events[0]["resumedFromStep"] == 2
    assert measured(first.logs + second.logs) == measured(whole.logs)


def test_can_be_canceled_while_it_waits(home: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent")
    asked = desk.ask_rewards

    def ask(question: dict[str, Any]) -> Any:
        desk._wants = {0: "cancel"}
        return asked(question)

    desk.ask_rewards = ask  # type: ignore[method-assign]
    assert train_here(home, desk, tmp_path / "run") == Outcome("cancelled")
    assert [path.name for path in (tmp_path / "run").iterdir()] == []


def test_keeps_the_checkpoint_with_the_highest_reward(home: Reference, tmp_path: Path) -> None:
    desk = open_desk(tmp_path / "sent")

    desk.reward = lambda _: {"reward": -len(desk.logs)}
    assert train_here(home, desk, tmp_path / "run") == Outcome("completed")
    state = (tmp_path / "run" / "checkpoint-4" / "trainer_state.json").read_text()
    assert '"best":{"step":2,"loss":1.0}' in state


def test_counts_what_has_no_reward_and_what_teaches_nothing(home: Reference, tmp_path: Path) -> None:
    same, failing = (ScriptedDesk(tmp_path / name) for name in ("same", "failing"))
    same.reward = lambda _: {"reward": 0.5, "parts": {"right": 1, "short": 0}}
    assert train_here(home, same, tmp_path / "a", beta=0) == Outcome("completed")
    for log in same.logs:
        assert log["loss"] == 0
        assert (log["quietGroups"], log["failedRewards"], log["reward.right"], log["reward.short"]) == (1, 0, 1, 0)
    assert same.logs[1]["evalReward.right"] == 1
    counts = iter(range(10**6))
    failing.reward = lambda _: {"error": "It broke."} if next(counts) % 6 == 5 else {"reward": 1}
    assert train_here(home, failing, tmp_path / "b") == Outcome("completed")
    assert failing.logs[0]["failedRewards"] == pytest.approx(2 / 12)


def test_fails_with_the_first_error_when_too_many_answers_got_no_reward(home: Reference, tmp_path: Path) -> None:
    desk, counts = ScriptedDesk(tmp_path / "sent"), iter(range(10**6))
    desk.reward = lambda _: {"error": f"It broke: {count}."} if (count := next(counts)) % 3 == 2 else {"reward": 1}
    outcome = train_here(home, desk, tmp_path / "run")
    assert outcome == Outcome("failed", error="4 of 12 answers got no reward. The first: It broke: 2.")
    desk.reward = lambda _: {"reward": 1}
    asked = desk.ask_rewards
    desk.ask_rewards = lambda question: (asked(question) or [])[:-1]  # type: ignore[method-assign]
    outcome = train_here(home, desk, tmp_path / "other")
    assert outcome == Outcome("failed", error="There are not as many rewards as answers.")


def test_refuses_several_workers_before_it_trains(home: Reference, tmp_path: Path) -> None:
    desk = open_desk(tmp_path / "sent")
    group = Group()
    group.size = 2
    materials = materials_of(home, tmp_path / "two")
    outcome = train(materials, desk, group, torch.device("cpu"))
    assert outcome.error and "trains with one worker" in outcome.error
    assert desk.events == []


def test_what_is_infinite_is_not_reported(home: Reference, tmp_path: Path) -> None:
    """JSON has no infinite numbers."""
    desk = open_desk(tmp_path / "sent")
    turns = itertools.cycle([1e200, -1e200])
    desk.reward = lambda _: {"reward": next(turns), "parts": {"huge": 1e308}}
    assert train_here(home, desk, tmp_path / "run") == Outcome("completed")
    json.dumps(desk.events, allow_nan=False)
    assert "rewardSpread" not in desk.logs[0]
    assert desk.logs[0]["quietGroups"] == 0
