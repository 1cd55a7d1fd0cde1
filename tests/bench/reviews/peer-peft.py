"""Trains a LoRA adapter with PEFT, as examples/reviews does with svc, and answers with it.

Started by `npm run bench -- reviews`:
    python3 peer-peft.py MODEL_FOLDER WORK float32|bfloat16 EPOCHS BATCH LEARNING_RATE RANK ALPHA
WORK/rows.json is a list of {"ids": [...], "supervised": [...]}, WORK/asked.json a list of prompts in tokens. Prints the time
and the tokens that were answered.
"""

import json
import os
import random
import sys
import time
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, get_cosine_schedule_with_warmup

FOLDER, WORK, PRECISION = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
EPOCHS, BATCH, LEARNING_RATE, RANK, ALPHA = (float(number) for number in sys.argv[4:])
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
MOST_TOKENS = 20

torch.set_num_threads(os.cpu_count())
torch.manual_seed(42)
rows = json.loads((WORK / "rows.json").read_text())
model = AutoModelForCausalLM.from_pretrained(FOLDER, dtype=getattr(torch, PRECISION))
config = LoraConfig(
    r=int(RANK), lora_alpha=ALPHA, lora_dropout=0, target_modules=MODULES, task_type="CAUSAL_LM"
)
model = get_peft_model(model, config)


def batch_of(chosen):
    width = max(len(row["ids"]) for row in chosen)
    ids, mask, labels = torch.zeros((3, len(chosen), width), dtype=torch.long)
    labels.fill_(-100)
    for at, row in enumerate(chosen):
        length = len(row["ids"])
        ids[at, :length] = torch.tensor(row["ids"])
        mask[at, :length] = 1
        labels[at, :length] = torch.where(torch.tensor(row["supervised"]).bool(), ids[at, :length], -100)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def train():
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=LEARNING_RATE, weight_decay=0)
    batches = []
    for _ in range(int(EPOCHS)):
        random.Random(42).shuffle(rows)
        batches += [rows[at : at + int(BATCH)] for at in range(0, len(rows), int(BATCH))]
    schedule = get_cosine_schedule_with_warmup(optimizer, 0, len(batches))
    model.train()
    for batch in batches:
        model(**batch_of(batch)).loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()


@torch.no_grad()
def answer(prompt):
    ids = torch.tensor([prompt])
    found = model.generate(
        input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=MOST_TOKENS, do_sample=False
    )
    return found[0, len(prompt) :].tolist()


start = time.perf_counter()
train()
seconds = time.perf_counter() - start
model.eval()
asked = json.loads((WORK / "asked.json").read_text())
print(json.dumps({"seconds": seconds, "answers": [answer(prompt) for prompt in asked]}))
