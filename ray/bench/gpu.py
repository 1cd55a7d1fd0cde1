"""`python3 -m bench.gpu` in `ray`: the engine of PyTorch on this machine's GPU, beside its code of another checkout
(`--before FOLDER`, which has `svc_ray`) and a plain loop with PEFT. Needs torch, transformers, peft, numpy and
safetensors, no network, no Ray and no Node. Prints one line of JSON a row, and writes it to a file as well.

A row is SHAPE/WHAT, or SHAPE/WHAT/GIB with so much of the GPU's memory: `1.2b/svc/24`. WHAT is svc, before, peft
(padded batches), peft-sorted (by length, with gradient checkpointing), profile (the kernels of a step of svc),
dropout (svc with a tenth of the inputs dropped), or svc with weights of another precision: svc-nf4, svc-int8. Each row
is a process of its own, with a time limit of its own. `--tiny` tries it out on a CPU."""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

ROWS = (
    "1.2b/svc,1.2b/before,1.2b/svc/24,1.2b/svc/16,1.2b/svc/8,1.2b/peft-sorted,1.2b/svc,1.2b/before,"
    "1.2b/profile,7b/svc-nf4/24,1.2b/svc-int8/8,1.2b/peft"
)
BATCH, STEPS, WARM_UP = 32, 12, 3
SHORTEST, LONGEST = 100, 700
MICRO_BATCH = 8
PROFILED = (6, 8)
_SHOWN_KERNELS = 30
_GIB = 2**30
_IGNORED = -100
_LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_act": "silu",
    "rms_norm_eps": 1e-5,
    "rope_theta": 500000.0,
    "max_position_embeddings": 4096,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "torch_dtype": "bfloat16",
}
SHAPES: dict[str, dict[str, Any]] = {
    # Llama 3.2 1B.
    "1.2b": {
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "num_hidden_layers": 16,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 64,
        "vocab_size": 128256,
        "tie_word_embeddings": True,
    },
    # Llama 2 7B.
    "7b": {
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
        "head_dim": 128,
        "vocab_size": 32000,
        "tie_word_embeddings": False,
    },
    "tiny": {
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "vocab_size": 512,
        "tie_word_embeddings": True,
        "max_position_embeddings": 32,
    },
}
OPTIONS: dict[str, Any] = {
    "loraR": 16,
    "loraAlpha": 32,
    "loraDropout": 0,
    "targetModules": ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    "maxSteps": STEPS,
    "numTrainEpochs": 1,
    "learningRate": 2e-4,
    "batchSize": BATCH,
    "gradientAccumulationSteps": 1,
    "lrSchedulerType": "constant",
    "warmupSteps": 0,
    "weightDecay": 0,
    "maxGradNorm": 1,
    "loggingSteps": 1,
    "saveSteps": None,
    "evalSteps": None,
    "keepCheckpoints": 1,
    "seed": 42,
}


def main() -> int:
    given = read_arguments()
    if given.make:
        make_model(given.folder, given.make)
        return 0
    if given.row:
        sys.stdout.write(f"{json.dumps(run_row(given.row, given.folder))}\n")
        return 0
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True)
        run_all(given, given.folder)
    else:
        with tempfile.TemporaryDirectory(prefix="svc-gpu-") as folder:
            run_all(given, Path(folder))
    return 0


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default=ROWS, help=f"separated by commas; default: {ROWS}")
    parser.add_argument(
        "--before", type=Path, help="a folder with another svc_ray; without it, rows `before` are left out"
    )
    parser.add_argument("--seconds", type=float, default=200, help="no row starts later; default: 200")
    parser.add_argument("--row-seconds", type=float, default=75, help="for one row; 7b: twice that; default: 75")
    parser.add_argument("--out", type=Path, default=Path("gpu-bench.jsonl"))
    parser.add_argument("--folder", type=Path, help="for the models, 2.5 and 13.5 GB; default: a temporary one")
    parser.add_argument("--tiny", action="store_true", help="tiny shapes")
    parser.add_argument("--row", help=argparse.SUPPRESS)
    parser.add_argument("--make", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.before and not (given.before / "svc_ray").is_dir():
        parser.error(f"There is no svc_ray in {given.before.absolute()}.")
    return given


def run_all(given: argparse.Namespace, folder: Path) -> None:
    began = time.monotonic()
    with given.out.open("a") as out:

        def say(line: dict[str, Any]) -> None:
            text = json.dumps(line)
            for file in (sys.stdout, out):
                file.write(f"{text}\n")
                file.flush()

        for row in given.rows.split(","):
            shape, what = row.split("/")[:2]
            if what == "before" and not given.before:
                continue
            if given.tiny:
                row = "/".join(["tiny", *row.split("/")[1:]])
                shape = "tiny"
            if time.monotonic() - began > given.seconds:
                say({"row": row, "skipped": f"{given.seconds:g} s are over"})
                continue
            limit = given.row_seconds * (2 if shape == "7b" else 1)
            model = folder / shape
            if not (model / "config.json").exists():
                made = start(["--make", shape, "--folder", str(model)], None, limit)
                if "error" in made:
                    say({"row": f"{shape}/make", **made})
                    continue
            code = given.before if what == "before" else Path(__file__).parents[1]
            say({"row": row, **start(["--row", row, "--folder", str(model)], code.absolute(), limit)})


def start(arguments: list[str], code: Path | None, limit: float) -> dict[str, Any]:
    """Runs this file with the engine's code of a folder. What it prints last is its result."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(code or ""),
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
    }
    command = [sys.executable, str(Path(__file__).absolute()), *arguments]
    began = time.monotonic()
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"not done within {limit:g} s"}
    seconds = round(time.monotonic() - began, 1)
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0:
        return {"error": done.stderr.strip()[-1500:] or f"exit code {done.returncode}", "seconds": seconds}
    result: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    return {**result, "seconds": seconds}


def make_model(folder: Path, shape: str) -> None:
    """Random weights, a file for each layer."""
    import torch
    from safetensors.torch import save_file

    config = {**_LLAMA, **SHAPES[shape]}
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = torch.Generator(device).manual_seed(1)
    weight_map: dict[str, str] = {}
    for number, shapes in enumerate(parts_of(config)):
        name = f"model-{number:05}.safetensors"
        tensors = {}
        for key, size in shapes.items():
            values = torch.ones(size, device=device)
            if len(size) > 1:
                values.normal_(0, 0.02, generator=generator)
            tensors[key] = values.to(torch.bfloat16).cpu()
            weight_map[key] = name
        save_file(tensors, folder / name, {"format": "pt"})
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    make_rows(folder, config)
    # Last: it says that the model is whole.
    (folder / "config.json").write_text(json.dumps(config))


def parts_of(config: dict[str, Any]) -> list[dict[str, tuple[int, ...]]]:
    hidden, vocabulary = config["hidden_size"], config["vocab_size"]
    ends = {"model.embed_tokens.weight": (vocabulary, hidden), "model.norm.weight": (hidden,)}
    if not config["tie_word_embeddings"]:
        ends["lm_head.weight"] = (vocabulary, hidden)
    layers = []
    for layer in range(config["num_hidden_layers"]):
        path = f"model.layers.{layer}"
        norms = {f"{path}.{name}.weight": (hidden,) for name in ("input_layernorm", "post_attention_layernorm")}
        modules = {f"{path}.{name}.weight": size for name, size in module_shapes(config).items()}
        layers.append({**norms, **modules})
    return [ends, *layers]


def module_shapes(config: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """[out, in], by the path within a layer."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    heads, pairs = (config[name] * config["head_dim"] for name in ("num_attention_heads", "num_key_value_heads"))
    return {
        "self_attn.q_proj": (heads, hidden),
        "self_attn.k_proj": (pairs, hidden),
        "self_attn.v_proj": (pairs, hidden),
        "self_attn.o_proj": (hidden, heads),
        "mlp.gate_proj": (inner, hidden),
        "mlp.up_proj": (inner, hidden),
        "mlp.down_proj": (hidden, inner),
    }


def make_rows(folder: Path, config: dict[str, Any]) -> None:
    """Rows of 100 to 700 tokens, of which the second half is learned, and the adapter of step 0."""
    import numpy as np
    from safetensors.numpy import save_file

    random = np.random.default_rng(1)
    longest = min(LONGEST, config["max_position_embeddings"])
    lengths = random.integers(min(SHORTEST, longest // 2), longest + 1, size=BATCH * STEPS)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    ids = random.integers(3, config["vocab_size"], size=offsets[-1]).astype(np.int32)
    learned = np.concatenate([np.arange(length) >= length // 2 for length in lengths]).astype(np.uint8)
    numbers = np.arange(len(lengths), dtype=np.int32)
    save_file({"ids": ids, "learned": learned, "offsets": offsets, "rows": numbers}, folder / "rows.bin")
    adapter = {}
    rank = OPTIONS["loraR"]
    for layer in range(config["num_hidden_layers"]):
        for path, (outputs, inputs) in module_shapes(config).items():
            name = f"base_model.model.model.layers.{layer}.{path}"
            a = random.uniform(-1, 1, size=(rank, inputs)) / inputs**0.5
            adapter[f"{name}.lora_A.weight"] = a.astype(np.float32)
            adapter[f"{name}.lora_B.weight"] = np.zeros((outputs, rank), np.float32)
    save_file(adapter, folder / "adapter.bin")


def run_row(row: str, folder: Path) -> dict[str, Any]:
    import torch

    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    _, what, gib = (*row.split("/"), "")[:3]
    device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
    if device.type == "cuda" and gib:
        total = torch.cuda.get_device_properties(device).total_memory
        torch.cuda.set_per_process_memory_fraction(float(gib) * _GIB / total)
    result = run_peft(what, folder, device) if what.startswith("peft") else run_engine(what, folder, device)
    result.update(torch=torch.__version__, device="cpu")
    if device.type == "cuda":
        result.update(
            device=torch.cuda.get_device_name(device),
            peakGiB=round(torch.cuda.max_memory_allocated(device) / _GIB, 2),
            reservedGiB=round(torch.cuda.max_memory_reserved(device) / _GIB, 2),
        )
    return result


class Desk:
    """Notes when events come."""

    want = "go"

    def __init__(self, profiler: Any = None) -> None:
        self.times: list[float] = []
        self.logs: list[dict[str, Any]] = []
        self._profiler = profiler

    def check(self) -> None: ...

    def emit(self, event: dict[str, Any]) -> None:
        if event["type"] in ("training.started", "training.log"):
            self.times.append(time.perf_counter())
        if event["type"] == "training.log":
            self.logs.append(event)
            if self._profiler and len(self.logs) == PROFILED[0]:
                self._profiler.start()
            if self._profiler and len(self.logs) == PROFILED[1]:
                self._profiler.stop()

    def send_folder(self, folder: Path) -> None: ...

    def held_up(self, fault: str | None) -> None: ...


class Notes(logging.Handler):
    """What the engine logs."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage()[:300])


def run_engine(what: str, folder: Path, device: Any) -> dict[str, Any]:
    from svc_ray.torch_engine.engine import train
    from svc_ray.torch_engine.group import Group

    notes = Notes()
    logging.getLogger("svc_ray").addHandler(notes)
    _, _, weights = what.partition("-")
    profiler = create_profiler() if what == "profile" else None
    desk: Any = Desk(profiler)
    with tempfile.TemporaryDirectory(prefix="svc-gpu-run-") as run:
        materials = find_materials()(
            claim={
                "run": {
                    "model": {"name": "random", "sha256": None},
                    "options": {**OPTIONS, "loraDropout": 0.1 if what == "dropout" else 0},
                    **({"weights": weights} if weights else {}),
                },
                "rows": {"name": "random", "fingerprint": "0" * 64, "data": [], "tooLong": None},
            },
            model=folder,
            training=folder / "rows.bin",
            evaluation=None,
            initial=folder / "adapter.bin",
            folder=Path(run),
        )
        began = time.perf_counter()
        outcome = train(materials, desk, Group(), device)
    if outcome.status != "completed":
        return {"error": outcome.error or outcome.status, "log": notes.lines}
    seconds = [after - before for before, after in pairwise(desk.times)]
    result = summary(seconds, [log["loss"] for log in desk.logs], folder)
    result.update(startSeconds=round(desk.times[0] - began, 1), log=notes.lines)
    return result | (kernels_of(profiler) if profiler else {})


def find_materials() -> Any:
    """Older code has them elsewhere."""
    name = "svc_ray.materials" if find_spec("svc_ray.materials") else "svc_ray.attempt"
    return import_module(name).Materials


def create_profiler() -> Any:
    from torch.profiler import ProfilerActivity, profile

    return profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])


def kernels_of(profiler: Any) -> dict[str, Any]:
    """Milliseconds and calls of a step, and how long the GPU was busy."""
    steps = PROFILED[1] - PROFILED[0]
    kernels = [event for event in profiler.key_averages() if str(event.device_type).endswith("CUDA")]
    found = [(event.key, event.self_device_time_total / 1000 / steps, event.count / steps) for event in kernels]
    found.sort(key=lambda kernel: -kernel[1])
    shown = [[key[:90], round(took, 2), round(count, 1)] for key, took, count in found[:_SHOWN_KERNELS]]
    return {"busyMs": round(sum(took for _, took, _ in found), 1), "kernels": shown}


def tokens_of_steps(folder: Path) -> list[int]:
    """As the engine takes the rows, if it can be asked; the mean is the same for all."""
    from safetensors.numpy import load_file

    offsets = load_file(folder / "rows.bin")["offsets"]
    return [int(offsets[-1]) // STEPS] * STEPS


def summary(seconds: list[float], losses: list[float], folder: Path) -> dict[str, Any]:
    tokens, timed = tokens_of_steps(folder), seconds[WARM_UP:]
    rates = [count / took for count, took in zip(tokens, timed, strict=False)]
    return {
        "tokensPerSecond": round(sum(tokens[: len(timed)]) / sum(timed)),
        "median": round(statistics.median(rates)),
        "tokensPerStep": tokens[0],
        "losses": [round(loss, 5) for loss in (*losses[:3], losses[-1])],
    }


def run_peft(what: str, folder: Path, device: Any) -> dict[str, Any]:
    """What a tutorial does: micro-batches of 8, padded, the model's own loss, the optimizer of PyTorch."""
    import torch
    from peft import LoraConfig, get_peft_model
    from safetensors.numpy import load_file
    from transformers import AutoModelForCausalLM

    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    base: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True).to(device)
    base.config.use_cache = False
    is_sorted = what == "peft-sorted"
    if is_sorted:
        base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    config = LoraConfig(
        r=OPTIONS["loraR"],
        lora_alpha=OPTIONS["loraAlpha"],
        target_modules=OPTIONS["targetModules"],
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(base, config)
    model.train()
    trained = [values for values in model.parameters() if values.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=OPTIONS["learningRate"], weight_decay=0)
    rows = load_file(folder / "rows.bin")
    offsets = rows["offsets"].tolist()
    spans = list(pairwise(offsets))
    seconds, losses = [], []
    for step in range(STEPS):
        began = time.perf_counter()
        batch = spans[step * BATCH : (step + 1) * BATCH]
        if is_sorted:
            batch = sorted(batch, key=lambda span: span[1] - span[0])
        learned = sum(int(rows["learned"][start + 1 : end].sum()) for start, end in batch)
        optimizer.zero_grad()
        loss = 0.0
        for at in range(0, BATCH, MICRO_BATCH):
            inputs = to_batch(rows, batch[at : at + MICRO_BATCH])
            moved = {name: values.to(device) for name, values in inputs.items()}
            part = model(**moved, num_items_in_batch=torch.tensor(learned, device=device)).loss
            part.backward()
            loss += part.item()
        torch.nn.utils.clip_grad_norm_(trained, OPTIONS["maxGradNorm"])
        optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - began)
        losses.append(loss)
    return summary(seconds, losses, folder)


def to_batch(rows: dict[str, Any], spans: list[tuple[int, int]]) -> dict[str, Any]:
    import torch

    shape = (len(spans), max(end - start for start, end in spans))
    ids, mask = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64)
    labels = torch.full(shape, _IGNORED, dtype=torch.int64)
    for i, (start, end) in enumerate(spans):
        values = torch.from_numpy(rows["ids"][start:end].astype("int64"))
        ids[i, : end - start], mask[i, : end - start] = values, 1
        labels[i, : end - start] = torch.where(torch.from_numpy(rows["learned"][start:end]) == 1, values, _IGNORED)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


if __name__ == "__main__":
    sys.exit(main())
