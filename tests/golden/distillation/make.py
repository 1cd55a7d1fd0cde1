"""Writes expected.json: what PyTorch computes for the reference models in ../engine that learn a teacher's distribution.

Needs torch, transformers and peft. Run from anywhere: python3 tests/golden/distillation/make.py
"""

import json
import math
import platform
import random
from pathlib import Path

import peft
import torch
import transformers
from peft import LoraConfig, get_peft_model, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

HERE = Path(__file__).parent
MODELS = ["llama", "llama-untied", "qwen2", "qwen3"]
VOCABULARY = 320
STEPS = 6
LEARNING_RATE = 3e-3
WEIGHT = 0.7


def make_rows():
    """Teachers that are sure and unsure, that name few tokens and many, and a row and tokens without a distribution."""
    draw = random.Random(5)
    rows = []
    for taught_tokens, most in [(9, 20), (6, 3), (5, 1), (0, 1)]:
        prompt = [draw.randrange(VOCABULARY) for _ in range(draw.randint(3, 8))]
        answer = [draw.randrange(VOCABULARY) for _ in range(draw.randint(10, 14))]
        # The mark that ends an answer, and here also its start, have none.
        taught = len(prompt) + (1 if taught_tokens == 6 else 0)
        distributions = []
        for token in (prompt + answer)[taught : taught + taught_tokens]:
            others = draw.sample([id for id in range(VOCABULARY) if id != token], draw.randint(0, most))
            sharpness = draw.choice([0.5, 2, 6])
            logits = [sharpness * draw.gauss(0, 1) for _ in range(len(others) + 2)]
            total = sum(math.exp(logit) for logit in logits)
            # The last one is for the rest.
            shares = [math.exp(logit) / total for logit in logits][:-1]
            distributions.append([[id, share] for id, share in zip([token, *others], shares)])
        if distributions:
            # All of the teacher's probability is on the tokens that it names.
            certain = distributions[-1]
            total = sum(share for _, share in certain)
            distributions[-1] = [[id, share / total] for id, share in certain]
        rows.append({"ids": prompt + answer, "learned": len(prompt), "taught": taught, "tokens": distributions})
    return rows


def load(name):
    folder = HERE.parent / "engine" / name
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    settings = json.loads((folder / "adapter_init" / "adapter_config.json").read_text())
    lora = LoraConfig(
        r=settings["r"],
        lora_alpha=settings["lora_alpha"],
        target_modules=settings["target_modules"],
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, lora)
    set_peft_model_state_dict(adapted, load_file(folder / "adapter_init" / "adapter_model.safetensors"))
    return adapted.train()


def divergence(log_q, named):
    """Of the distribution of a model from what the teacher says, with one bucket for all tokens that it does not name."""
    ids = torch.tensor([id for id, _ in named])
    shares = torch.tensor([share for _, share in named], dtype=torch.float64)
    rest = max(0.0, 1 - shares.sum().item())
    others = torch.ones(VOCABULARY, dtype=torch.bool)
    others[ids] = False
    total = (shares * (shares.log() - log_q[ids])).sum()
    if rest > 1e-12:
        total = total + rest * (math.log(rest) - log_q[others].logsumexp(0))
    return total


def measure(model, rows):
    """The mean loss of the tokens, and the mean divergence."""
    losses, divergences, count = [], [], 0
    for row in rows:
        ids = torch.tensor([row["ids"]])
        log_q = model(input_ids=ids).logits[0].double().log_softmax(-1)
        for at in range(row["learned"], len(row["ids"])):
            count += 1
            losses.append(-log_q[at - 1, row["ids"][at]])
            index = at - row["taught"]
            if 0 <= index < len(row["tokens"]):
                divergences.append(divergence(log_q[at - 1], row["tokens"][index]))
    return sum(losses) / count, sum(divergences) / count


def train(model, rows):
    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(parameters.values(), lr=LEARNING_RATE, weight_decay=0.0)
    result = {"losses": [], "divergences": []}
    for step in range(STEPS):
        optimizer.zero_grad()
        of_labels, apart = measure(model, rows)
        loss = of_labels + WEIGHT * apart
        loss.backward()
        if step in (0, STEPS - 1):
            result[f"gradient_norms_{step}"] = {
                name.replace(".default", ""): p.grad.norm().item() for name, p in parameters.items()
            }
        result["losses"].append(loss.item())
        result["divergences"].append(apart.item())
        optimizer.step()
    return result


def main():
    rows = make_rows()
    expected = {
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "peft": peft.__version__,
        },
        "learning_rate": LEARNING_RATE,
        "weight": WEIGHT,
        "rows": rows,
        "results": {name: train(load(name), rows) for name in MODELS},
    }
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
