"""Writes NAME.json: what transformers and PEFT compute with a real model, read from its GGUF file in float32.

Needs torch 2.13.0, transformers 5.24.0, peft 0.21.0, gguf 0.19.0 and tokenizers 0.23.3. Run from anywhere:
python3 tests/golden/real/make.py smollm2|gemma3 FILE.gguf
"""

import json
import sys
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer

NAME, FILE = sys.argv[1], Path(sys.argv[2])
HERE = Path(__file__).parent
TASK = json.loads((HERE / "task.json").read_text())
STEPS, ROWS_PER_STEP, LEARNING_RATE = 30, 4, 5e-4
RANK, ALPHA = 8, 16
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
MOST_TOKENS, KEPT = 32, 3

tokenizer = AutoTokenizer.from_pretrained(FILE.parent, gguf_file=FILE.name)
if NAME == "smollm2":
    # transformers does not read tokenizer.ggml.pre.
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
model = AutoModelForCausalLM.from_pretrained(FILE.parent, gguf_file=FILE.name, dtype=torch.float32).eval()


def encode(question, reply=None):
    """A chat, or without a chat template a text: the reply on a line of its own."""
    if tokenizer.chat_template is None:
        ids = tokenizer(f"{question}\n{reply or ''}")["input_ids"]
        return ids if reply is None else [*ids, tokenizer.eos_token_id]
    messages = [{"role": "user", "content": question}]
    if reply is not None:
        messages.append({"role": "assistant", "content": reply})
    text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=reply is None)
    return tokenizer(text, add_special_tokens=False)["input_ids"]


@torch.no_grad()
def answer(prompt):
    """The likeliest tokens, and the likeliest candidates for each."""
    ids = encode(prompt)
    past, given, steps = None, ids, []
    while len(steps) < MOST_TOKENS:
        out = model(torch.tensor([given]), past_key_values=past, use_cache=True)
        past = out.past_key_values
        best = out.logits[0, -1].topk(KEPT)
        steps.append({"ids": best.indices.tolist(), "logits": [round(value, 5) for value in best.values.tolist()]})
        given = [steps[-1]["ids"][0]]
        if given[0] == tokenizer.eos_token_id:
            break
    return {"prompt": prompt, "ids": ids, "steps": steps}


def batch_of(rows):
    width = max(len(ids) for ids, _ in rows)
    pad = [tokenizer.pad_token_id or 0]
    ids = torch.tensor([ids + pad * (width - len(ids)) for ids, _ in rows])
    mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in rows])
    labels = ids.masked_fill(mask == 0, -100)
    for row, (_, learned) in enumerate(rows):
        labels[row, :learned] = -100
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def fill(parameter):
    """Numbers that look random, and are the same in run.ts."""
    count, (rows, columns) = parameter.numel(), parameter.shape
    places = torch.arange(count, dtype=torch.int64)
    mixed = (places * 2654435761 + rows * 40503) % 2**32
    values = (mixed.to(torch.float64) / 2**32 - 0.5) * 2 / columns**0.5
    parameter.data.copy_(values.reshape(rows, columns))


def train():
    global model
    model = get_peft_model(
        model, LoraConfig(r=RANK, lora_alpha=ALPHA, lora_dropout=0, target_modules=MODULES, task_type="CAUSAL_LM")
    )
    for name, parameter in model.named_parameters():
        if "lora_A" in name:
            fill(parameter)
    rows = [(encode(question, reply), len(encode(question))) for question, reply in TASK["rows"]]
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=LEARNING_RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=0)
    losses = []
    for step in range(STEPS):
        first = step * ROWS_PER_STEP % len(rows)
        loss = model(**batch_of(rows[first : first + ROWS_PER_STEP])).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(round(loss.item(), 7))
    return {
        "rank": RANK,
        "alpha": ALPHA,
        "learningRate": LEARNING_RATE,
        "rowsPerStep": ROWS_PER_STEP,
        "rows": [{"ids": ids, "learnedFrom": learned} for ids, learned in rows],
        "losses": losses,
    }


before = [answer(prompt) for prompt in TASK["prompts"]]
training = train()
after = [answer(prompt) for prompt in TASK["questions"]]
made = {"answers": before, "training": training, "trainedAnswers": after}
(HERE / f"{NAME}.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
for made_answer in [*before[:5], *after]:
    print(made_answer["prompt"], "->", repr(tokenizer.decode([step["ids"][0] for step in made_answer["steps"]])))
print(training["losses"])
