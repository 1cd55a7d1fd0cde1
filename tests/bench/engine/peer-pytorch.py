"""Trains a LoRA adapter on the rows of a file with PyTorch, transformers and PEFT, and prints how fast that went.

Called by `npm run bench -- engine` where these packages are installed:
    python3 peer-pytorch.py MODEL_FOLDER ROWS_JSON ROUNDS
ROWS_JSON is a list of {"ids": [...], "supervised": [...]}; one step takes them all, padded to the longest.
"""

import json
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

folder, rows_file, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(torch.get_num_threads())
rows = json.load(open(rows_file, encoding="utf-8"))
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

model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
modules = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, target_modules=modules, task_type="CAUSAL_LM"))
model.train()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)

times = []
for _ in range(rounds):
    start = time.perf_counter()
    optimizer.zero_grad()
    loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
    loss.backward()
    optimizer.step()
    times.append(time.perf_counter() - start)
tokens = int(mask.sum())
median = sorted(times[1:])[(len(times) - 1) // 2]
print(json.dumps({"tokensPerSecond": tokens / median, "threads": torch.get_num_threads(), "loss": float(loss)}))
