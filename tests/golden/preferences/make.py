"""Writes expected.json: what TRL's DPOTrainer computes for the reference models in ../engine with their first adapter.

Needs torch, transformers, peft and trl. Run from anywhere: python3 tests/golden/preferences/make.py
"""

import json
import platform
import random
import tempfile
from pathlib import Path

import peft
import torch
import transformers
import trl
from datasets import Dataset
from peft import LoraConfig, set_peft_model_state_dict
from safetensors.torch import load_file
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer

HERE = Path(__file__).parent
MODELS = ["llama", "llama-untied", "qwen2", "qwen3"]
VOCABULARY = 320
STEPS = 6
LEARNING_RATE = 3e-3

# A beta of TRL's default, and one with the usual loss of the chosen answers added.
METHODS = {
    "dpo": {"beta": 0.1, "loss_type": ["sigmoid"], "loss_weights": [1.0]},
    "dpo and sft": {"beta": 0.4, "loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, 0.3]},
}


def make_tokenizer():
    """A token is a word: t3, t4 and so on, after three special ones."""
    words = ["<unknown>", "<end>", "<padding>", *(f"t{i}" for i in range(3, VOCABULARY))]
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<padding>")


def make_pairs():
    """Answers of different lengths."""
    draw = random.Random(11)
    words = lambda low, high: " ".join(f"t{draw.randrange(3, VOCABULARY)}" for _ in range(draw.randint(low, high)))
    return [{"prompt": words(3, 12), "chosen": " " + words(2, 16), "rejected": " " + words(2, 16)} for _ in range(5)]


def make_trainer(name, method, tokenizer):
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
    config = DPOConfig(
        output_dir=tempfile.mkdtemp(),
        per_device_train_batch_size=5,
        gradient_checkpointing=False,
        bf16=False,
        use_cpu=True,
        report_to=[],
        max_length=None,
        **method,
    )
    trainer = DPOTrainer(
        model=model,
        args=config,
        train_dataset=Dataset.from_list(make_pairs()),
        processing_class=tokenizer,
        peft_config=lora,
    )
    tensors = load_file(folder / "adapter_init" / "adapter_model.safetensors")
    set_peft_model_state_dict(trainer.model, tensors)
    return trainer


def train(trainer):
    """The batch, and what each step computes before it changes the adapter."""
    batch = next(iter(trainer.get_train_dataloader()))
    model = trainer.model.train()
    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(parameters.values(), lr=LEARNING_RATE, weight_decay=0.0)
    result = {"losses": [], "metrics": []}
    for step in range(STEPS):
        trainer._metrics["train"].clear()
        optimizer.zero_grad()
        loss = trainer.compute_loss(model, dict(batch))
        loss.backward()
        if step == 0:
            result["gradient_norms"] = {
                name.replace(".default", ""): p.grad.norm().item() for name, p in parameters.items()
            }
        result["losses"].append(loss.item())
        measured = trainer._metrics["train"]
        result["metrics"].append({key: measured[f"rewards/{key}"][0] for key in ["chosen", "rejected", "margins", "accuracies"]})
        optimizer.step()
    return batch, result


def to_pairs(batch):
    """Without padding: the first half of a batch has the chosen answers."""
    rows = [
        [(i, m) for i, m, a in zip(ids, mask, attention, strict=True) if a]
        for ids, mask, attention in zip(
            batch["input_ids"].tolist(), batch["completion_mask"].tolist(), batch["attention_mask"].tolist(), strict=True
        )
    ]
    half = len(rows) // 2
    text = lambda row: {"ids": [i for i, _ in row], "learned": [m for _, m in row]}
    return [{"chosen": text(a), "rejected": text(b)} for a, b in zip(rows[:half], rows[half:], strict=True)]


def main():
    tokenizer = make_tokenizer()
    expected = {
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "peft": peft.__version__,
            "trl": trl.__version__,
        },
        "learning_rate": LEARNING_RATE,
        "methods": METHODS,
        "results": {},
    }
    for name in MODELS:
        expected["results"][name] = {}
        for title, method in METHODS.items():
            batch, result = train(make_trainer(name, method, tokenizer))
            pairs = to_pairs(batch)
            assert expected.setdefault("pairs", pairs) == pairs
            expected["results"][name][title] = result
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
