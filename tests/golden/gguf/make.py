"""Writes number-formats.json: random blocks of each number format, and the values that the gguf package computes from them;
and words.json: how the tokenizers package splits texts by the patterns of real tokenizers.

Needs gguf 0.19.0, numpy 2.4.6 and tokenizers 0.23.3. Run from anywhere: python3 tests/golden/gguf/make.py
"""

import base64
import json
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize, quantize
from tokenizers import Regex
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

WRITTEN = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"]
# The package cannot write these: their blocks are random bytes. Where their 16-bit scales are, in bytes.
SCALES = {"Q2_K": (80, 82), "Q3_K": (108,), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,)}
BLOCKS = 3

random = np.random.default_rng(20261126)


def text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def blocks_of(name, kind):
    values, size = GGML_QUANT_SIZES[kind]
    if name in WRITTEN:
        return quantize(random.standard_normal((BLOCKS, values), dtype=np.float32), kind)
    blocks = random.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
    for at in SCALES[name]:
        blocks[:, at : at + 2] = random.uniform(-0.1, 0.1, (BLOCKS, 1)).astype("<f2").view(np.uint8)
    return blocks


made = {}
for name in [*WRITTEN, *SCALES]:
    kind = GGMLQuantizationType[name]
    blocks = blocks_of(name, kind)
    made[name] = {"type": int(kind), "blocks": text(blocks), "values": text(dequantize(blocks, kind).astype("<f4"))}

target = Path(__file__).parent / "number-formats.json"
target.write_text(json.dumps(made, indent=1) + "\n")

SHORT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
REST = r"\s*[\r\n]+|\s+(?!\S)|\s+"
CASED = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+%s|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*%s|"
)
# As the models' own tokenizer.json have them.
PATTERNS = {
    "llama-bpe": SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + REST,
    "qwen2": SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + REST,
    "tekken": CASED % ("", "") + r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + REST,
    "gpt-4o": CASED % (SHORT + "?", SHORT + "?") + r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + REST,
}
TEXTS = [
    "I'll say it's DON'T, we'Ve 12345 apples -- 3.14159!",
    "naïve café Ångström ÀÉ eé中文字 ライブ 한국어 Straße",
    "def f(x):\n    return x**2  # ok\n\n\ttabs \t and  spaces   \n",
    "HTTPServer camelCase https://example.org/a//b?c=1&d=2\r\n",
    "🙂🙃 emoji ½ ² ٣ IV x\u0301y",
]
plain = ByteLevel(add_prefix_space=False, use_regex=False)
splitters = {name: Sequence([Split(Regex(pattern), "isolated"), plain]) for name, pattern in PATTERNS.items()}
splitters["gpt-2"] = ByteLevel(add_prefix_space=False)
splitters["smollm"] = Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
words = {
    name: [[word for word, _ in splitter.pre_tokenize_str(text)] for text in TEXTS]
    for name, splitter in splitters.items()
}
target = Path(__file__).parent / "words.json"
target.write_text(json.dumps({"texts": TEXTS, "words": words}, ensure_ascii=False, indent=1) + "\n")
