"""Trains a LoRA adapter on the rows of a file with PyTorch: a step for each line that it is sent, and its time.

Started by `npm run bench -- engine` where PyTorch is installed:
    python3 peer-pytorch.py MODEL_FOLDER ROWS_JSON float32|autocast|bfloat16
ROWS_JSON is a list of {"ids": [...], "supervised": [...]}; one step takes them all, padded to the longest. The model is that
of transformers and PEFT where they are installed, too, and else the one written out below, with the same products.
"""

import json
import math
import os
import struct
import sys
import time

import torch
import torch.nn.functional as F

MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
RANK, ALPHA = 16, 32


def with_peft(folder, dtype):
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=MODULES, task_type="CAUSAL_LM")
    model = get_peft_model(model, config)
    model.train()
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return trainable, lambda ids, mask, labels: model(input_ids=ids, attention_mask=mask, labels=labels).loss


class Llama:
    """A Llama with an adapter in float32 on every projection, its own weights frozen."""

    def __init__(self, folder, dtype):
        self.config = json.load(open(f"{folder}/config.json", encoding="utf-8"))
        stored = read_safetensors(f"{folder}/model.safetensors")
        self.weights = {name: weight.to(dtype) for name, weight in stored.items()}
        self.adapters = {}
        for name, weight in self.weights.items():
            if name.split(".")[-2] in MODULES:
                rows, columns = weight.shape
                a = torch.randn(RANK, columns) / math.sqrt(columns)
                self.adapters[name] = (a.requires_grad_(), torch.zeros(rows, RANK).requires_grad_())

    def trainable(self):
        return [part for pair in self.adapters.values() for part in pair]

    def project(self, name, x):
        a, b = self.adapters[name]
        adapted = ALPHA / RANK * F.linear(F.linear(x.to(a.dtype), a), b)
        return F.linear(x, self.weights[name]) + adapted.to(x.dtype)

    def norm(self, name, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.config["rms_norm_eps"]) * self.weights[name]

    def heads(self, x, count):
        return x.view(x.shape[0], x.shape[1], count, -1).transpose(1, 2)

    def layer(self, x, prefix, rotate, blocked):
        config = self.config
        count, shared = config["num_attention_heads"], config["num_key_value_heads"]
        h = self.norm(f"{prefix}.input_layernorm.weight", x)
        q = rotate(self.heads(self.project(f"{prefix}.self_attn.q_proj.weight", h), count))
        k = rotate(self.heads(self.project(f"{prefix}.self_attn.k_proj.weight", h), shared))
        v = self.heads(self.project(f"{prefix}.self_attn.v_proj.weight", h), shared)
        k, v = (part.repeat_interleave(count // shared, dim=1) for part in (k, v))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]) + blocked
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape[0], x.shape[1], -1)
        x = x + self.project(f"{prefix}.self_attn.o_proj.weight", mixed)
        h = self.norm(f"{prefix}.post_attention_layernorm.weight", x)
        gate = F.silu(self.project(f"{prefix}.mlp.gate_proj.weight", h))
        h = gate * self.project(f"{prefix}.mlp.up_proj.weight", h)
        return x + self.project(f"{prefix}.mlp.down_proj.weight", h)

    def loss(self, ids, mask, labels):
        config = self.config
        embedding = self.weights["model.embed_tokens.weight"]
        x = F.embedding(ids, embedding)
        rotate = rotation(ids.shape[1], config["hidden_size"] // config["num_attention_heads"])
        causal = torch.full((ids.shape[1], ids.shape[1]), -math.inf).triu(1)
        for i in range(config["num_hidden_layers"]):
            x = self.layer(x, f"model.layers.{i}", rotate, causal)
        x = self.norm("model.norm.weight", x)
        logits = F.linear(x[:, :-1], self.weights.get("lm_head.weight", embedding))
        return F.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)


def rotation(length, size, base=10000.0):
    angles = torch.outer(torch.arange(length).float(), base ** (-torch.arange(0, size, 2) / size))
    cos, sin = (torch.cat([part, part], -1) for part in (angles.cos(), angles.sin()))

    def rotate(x):
        left, right = x.chunk(2, -1)
        return x * cos + torch.cat([-right, left], -1) * sin

    return rotate


def read_safetensors(path):
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    return {
        name: torch.frombuffer(data, dtype=torch.float32, count=math.prod(entry["shape"]), offset=entry["data_offsets"][0])
        .view(entry["shape"])
        .clone()
        for name, entry in header.items()
    }


def read_rows(path):
    rows = json.load(open(path, encoding="utf-8"))
    longest = max(len(row["ids"]) for row in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    mask = torch.zeros((len(rows), longest), dtype=torch.long)
    labels = torch.full((len(rows), longest), -100, dtype=torch.long)
    for i, row in enumerate(rows):
        length = len(row["ids"])
        ids[i, :length] = torch.tensor(row["ids"])
        mask[i, :length] = 1
        for j in range(1, length):
            if row["supervised"][j]:
                labels[i, j] = row["ids"][j]
    return ids, mask, labels


def main(folder, rows_file, precision):
    dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
    torch.set_num_threads(os.cpu_count())
    ids, mask, labels = read_rows(rows_file)
    try:
        trainable, loss_of = with_peft(folder, dtype)
        peer = "PEFT"
    except ImportError:
        model = Llama(folder, dtype)
        trainable, loss_of = model.trainable(), model.loss
        peer = "plain"
    optimizer = torch.optim.AdamW(trainable, lr=1e-4)

    def step():
        start = time.perf_counter()
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "autocast"):
            loss = loss_of(ids, mask, labels)
        loss.backward()
        optimizer.step()
        return (time.perf_counter() - start) * 1000

    step()
    print(json.dumps({"peer": f"PyTorch {torch.__version__}, {peer}", "tokens": int(mask.sum())}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({"stepMs": step()}), flush=True)


main(*sys.argv[1:4])
