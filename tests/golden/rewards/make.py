"""Writes expected.json: what TRL's GRPOTrainer computes for the reference models in ../engine with their first adapter.

Needs torch, transformers, peft and trl. Run from anywhere: python3 tests/golden/rewards/make.py
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
from trl import GRPOConfig, GRPOTrainer

HERE = Path(__file__).parent
MODELS = ["llama", "llama-untied", "qwen2", "qwen3"]
VOCABULARY = 320
STEPS = 6
LEARNING_RATE = 3e-3
GROUP = 4

# Updates per rollout, so that ratios leave 1 and are clipped, and one update only.
METHODS = {
    "an update each": {"beta": 0.04, "epsilon": 0.2, "temperature": 1.0, "num_iterations": 1},
    "several updates": {"beta": 0.1, "epsilon": 0.1, "temperature": 0.8, "num_iterations": STEPS},
    "without a reference": {"beta": 0.0, "epsilon": 0.2, "temperature": 1.0, "num_iterations": 1},
}


def make_tokenizer():
    """A token is a word: t3, t4 and so on, after three special ones."""
    words = ["<unknown>", "<end>", "<padding>", *(f"t{i}" for i in range(3, VOCABULARY))]
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<padding>")


def make_groups():
    """Two prompts with answers of different lengths. One answer has no reward, and the last group has equal ones."""
    draw = random.Random(11)
    ids = lambda low, high: [draw.randrange(3, VOCABULARY) for _ in range(draw.randint(low, high))]
    rewards = [[1.0, 0.0, 0.25, 0.5], [0.2, None, 0.9, 0.2], [0.5, 0.5, 0.5, 0.5]]
    return [
        {"prompt": ids(3, 12), "answers": [{"ids": ids(2, 16), "reward": reward} for reward in given]}
        for given in rewards
    ]


def make_trainer(name, method, groups, tokenizer):
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
    answers = [answer for group in groups for answer in group["answers"]]
    config = GRPOConfig(
        output_dir=tempfile.mkdtemp(),
        per_device_train_batch_size=len(answers),
        num_generations=GROUP,
        max_completion_length=16,
        loss_type="dapo",
        gradient_checkpointing=False,
        bf16=False,
        use_cpu=True,
        report_to=[],
        **method,
    )
    words = lambda ids: " ".join(f"t{i}" for i in ids)
    trainer = GRPOTrainer(
        model=model,
        args=config,
        train_dataset=Dataset.from_list([{"prompt": words(group["prompt"])} for group in groups]),
        reward_funcs=lambda completions, **_: [answer["reward"] for answer in answers],
        processing_class=tokenizer,
        peft_config=lora,
    )
    # The answers are given, instead of sampled.
    trainer._generate_single_turn = lambda *_, **__: ([answer["ids"] for answer in answers], None)
    tensors = load_file(folder / "adapter_init" / "adapter_model.safetensors")
    set_peft_model_state_dict(trainer.model, tensors)
    return trainer


def train(trainer, groups):
    """What each step computes before it changes the adapter; the answers are the same in all."""
    words = lambda ids: " ".join(f"t{i}" for i in ids)
    rows = [{"prompt": words(group["prompt"])} for group in groups for _ in group["answers"]]
    model = trainer.model.train()
    trainer.current_gradient_accumulation_steps = 1
    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(parameters.values(), lr=LEARNING_RATE, weight_decay=0.0)
    result = {"losses": [], "divergences": []}
    inputs = None
    for step in range(STEPS):
        trainer._metrics["train"].clear()
        if inputs is None or trainer.num_iterations == 1:
            inputs = trainer._generate_and_score_completions([dict(row) for row in rows])
            result["advantages"] = inputs["advantages"].tolist()
        optimizer.zero_grad()
        loss = trainer._compute_loss(model, dict(inputs))
        loss.backward()
        if step in (0, STEPS - 1):
            result[f"gradient_norms_{step}"] = {
                name.replace(".default", ""): p.grad.norm().item() for name, p in parameters.items()
            }
        result["losses"].append(loss.item())
        measured = trainer._metrics["train"]
        result["divergences"].append(measured["kl"][0] if measured["kl"] else None)
        result.setdefault("clipped", []).append(measured["clip_ratio/region_mean"][0])
        optimizer.step()
    return result


def main():
    tokenizer = make_tokenizer()
    groups = make_groups()
    expected = {
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "peft": peft.__version__,
            "trl": trl.__version__,
        },
        "learning_rate": LEARNING_RATE,
        "groups": groups,
        "methods": METHODS,
        "results": {},
    }
    for name in MODELS:
        expected["results"][name] = {
            title: train(make_trainer(name, method, groups, tokenizer), groups) for title, method in METHODS.items()
        }
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
