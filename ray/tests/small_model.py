"""A quarter of the bundled model's width, and two of its layers: it reads the same tokens, and trains in a fraction of
the time. Needs no PyTorch."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

LAYERS = 2
WIDTH = 4
"""What the sizes of all matrices are divided by, but for the vocabulary."""


def make_small_model(whole: Path) -> Path:
    """The folder, which is removed when the program ends."""
    folder = Path(tempfile.mkdtemp(prefix="svc-small-model-"))
    atexit.register(shutil.rmtree, folder)
    shutil.copytree(whole, folder, dirs_exist_ok=True)
    config = json.loads((whole / "config.json").read_text())
    sizes = ("hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads")
    small = {**config, **{name: config[name] // WIDTH for name in sizes}, "num_hidden_layers": LAYERS}
    (folder / "config.json").write_text(json.dumps(small))
    weights = folder / "model.safetensors"
    kept = {name: values for name, values in _read(weights).items() if _layer_of(name) < LAYERS}
    _write(weights, {name: _cut(values, config["vocab_size"]) for name, values in kept.items()})
    return folder


def _layer_of(name: str) -> int:
    found = re.search(r"\.layers\.(\d+)\.", name)
    return int(found[1]) if found else 0


def _cut(values: np.ndarray[Any, np.dtype[np.uint16]], vocabulary: int) -> np.ndarray[Any, np.dtype[np.uint16]]:
    return values[tuple(slice(size if size == vocabulary else size // WIDTH) for size in values.shape)]


# NumPy has no bfloat16, which is the type of all of them.


def _read(path: Path) -> dict[str, np.ndarray[Any, np.dtype[np.uint16]]]:
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    found = {}
    for name, entry in json.loads(content[8:start]).items():
        if name != "__metadata__":
            assert entry["dtype"] == "BF16"
            begin, end = (start + at for at in entry["data_offsets"])
            found[name] = np.frombuffer(content[begin:end], "<u2").reshape(entry["shape"])
    return found


def _write(path: Path, tensors: dict[str, np.ndarray[Any, np.dtype[np.uint16]]]) -> None:
    header, at = {}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "BF16", "shape": values.shape, "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(header).encode()
    padded = text.ljust(-(-len(text) // 8) * 8)
    content = b"".join(values.tobytes() for values in tensors.values())
    path.write_bytes(len(padded).to_bytes(8, "little") + padded + content)
