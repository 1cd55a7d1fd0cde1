"""Makes reference models of the engine, and writes what transformers and PEFT compute with them.

    python3 -m venv venv && venv/bin/pip install torch==2.13.0 transformers==5.24.0 peft==0.21.0
    venv/bin/python tests/golden/engine/make.py gemma3

Names are those of SETTINGS. The folders of llama, llama-untied, qwen2 and qwen3 are older than this script.
"""

import json
import sys
from pathlib import Path

import peft
import torch
import transformers
from peft import LoraConfig, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM

HERE = Path(__file__).parent
VERSIONS = {"torch": "2.13.0", "transformers": "5.24.0", "peft": "0.21.0"}

SIZES = {
    "vocab_size": 320,
    "hidden_size": 64,
    "intermediate_size": 112,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
    "dtype": "float32",
}

# Each has every kind of layer that the architecture has, and values that no other setting could stand in for.
SETTINGS = {
    "gemma3": {
        "model_type": "gemma3_text",
        "head_dim": 24,
        "num_key_value_heads": 1,
        "query_pre_attn_scalar": 40,
        "sliding_window": 9,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        },
    },
    "smollm3": {
        "model_type": "smollm3",
        "num_hidden_layers": 2,
        "no_rope_layers": [0, 1],
        "rope_parameters": {
            "rope_type": "yarn",
            "rope_theta": 2000000.0,
            "factor": 4.0,
            "original_max_position_embeddings": 64,
            "beta_fast": 4.0,
        },
    },
    "granite": {
        "model_type": "granite",
        "embedding_multiplier": 6.0,
        "attention_multiplier": 0.15,
        "residual_multiplier": 0.4,
        "logits_scaling": 1.7,
        "tie_word_embeddings": True,
    },
    "granite4": {
        "model_type": "granitemoehybrid",
        "num_local_experts": 0,
        "num_experts_per_tok": 0,
        "intermediate_size": 48,
        "shared_intermediate_size": 112,
        "layer_types": ["attention", "attention", "attention"],
        "position_embedding_type": "rope",
        "embedding_multiplier": 5.0,
        "attention_multiplier": 0.12,
        "residual_multiplier": 0.45,
        "logits_scaling": 1.6,
        "tie_word_embeddings": True,
    },
    "phi3": {
        "model_type": "phi3",
        "num_hidden_layers": 2,
        "original_max_position_embeddings": 32,
        "sliding_window": 1024,
        "tie_word_embeddings": True,
        "rope_parameters": {
            "rope_type": "longrope",
            "rope_theta": 10000.0,
            "factor": 4.0,
            "partial_rotary_factor": 0.75,
            "original_max_position_embeddings": 32,
            "short_factor": [1.0, 1.1, 1.2, 1.4, 1.7, 2.1],
            "long_factor": [1.0, 1.5, 3.0, 7.0, 16.0, 30.0],
        },
    },
    "mistral": {"model_type": "mistral", "head_dim": 24, "sliding_window": 9, "num_hidden_layers": 2},
    "ministral": {
        "model_type": "ministral",
        "head_dim": 16,
        "sliding_window": 7,
        "num_hidden_layers": 2,
        "layer_types": ["full_attention", "sliding_attention"],
    },
    "qwen3_5": {
        "model_type": "qwen3_5_text",
        "head_dim": 24,
        "layer_types": ["linear_attention", "full_attention", "linear_attention"],
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "linear_key_head_dim": 16,
        "linear_value_head_dim": 16,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25},
    },
    "lfm2": {
        "model_type": "lfm2",
        "layer_types": ["conv", "full_attention", "conv"],
        "block_multiple_of": 16,
    },
    "exaone4": {
        "model_type": "exaone4",
        "sliding_window": 9,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        "rope_parameters": {
            "rope_type": "llama3",
            "rope_theta": 100000.0,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        },
    },
    "olmo2": {"model_type": "olmo2", "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0}},
}

ROWS, LENGTH = 3, 40
RANK, ALPHA = 8, 16
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
OTHER_MODULES = {
    "granitemoehybrid": ["q_proj", "k_proj", "v_proj", "o_proj", "input_linear", "output_linear"],
    "phi3": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"],
    "lfm2": ["q_proj", "k_proj", "v_proj", "out_proj", "in_proj", "w1", "w3", "w2"],
    "qwen3_5_text": [*MODULES, "in_proj_qkv", "in_proj_z", "in_proj_b", "in_proj_a", "out_proj"],
}
OPTIMIZER = {"lr": 0.002, "betas": [0.9, 0.999], "eps": 1e-08, "weight_decay": 0.01}
STEPS = 12


def make_model(settings, draw):
    """Weights that keep the magnitude of activations, so that every part of a layer counts."""
    config = AutoConfig.for_model(**{**SIZES, **settings})
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=draw)
            if name.endswith("A_log"):
                # States that last for some tokens.
                weight.copy_(0.5 * noise - 2)
            elif weight.dim() == 1:
                # Around what a norm starts with, 0 or 1, or a bias.
                weight.add_(0.2 * noise)
            elif "embed_tokens" in name or "lm_head" in name:
                weight.copy_(0.06 * noise)
            else:
                weight.copy_(noise / weight[0].numel() ** 0.5)
    return model


def make_batch(draw):
    ids = torch.randint(3, SIZES["vocab_size"], (ROWS, LENGTH), generator=draw)
    labels = ids.clone()
    for row, learned in enumerate([range(7, 40), range(20, 40), range(4, 34)]):
        keep = torch.zeros(LENGTH, dtype=torch.bool)
        keep[list(learned)] = True
        labels[row][~keep] = -100
    return ids, labels


def add_adapter(model, draw):
    modules = OTHER_MODULES.get(model.config.model_type, MODULES)
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=modules, task_type="CAUSAL_LM")
    adapted = get_peft_model(model, config)
    with torch.no_grad():
        # Without zeros, so that every matrix has a gradient in the first step.
        for name, weight in adapted.named_parameters():
            if "lora_" in name:
                scale = 1 / weight.shape[1] ** 0.5 if "lora_A" in name else 0.02
                weight.copy_(scale * torch.randn(weight.shape, generator=draw))
    return adapted


def plain(name):
    return name.replace(".default", "")


def train(adapted, ids, labels):
    parameters = {plain(name): p for name, p in adapted.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(parameters.values(), **OPTIMIZER)
    losses, norms = [], {}
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = adapted(input_ids=ids, labels=labels).loss
        loss.backward()
        if step == 0:
            norms = {name: p.grad.norm().item() for name, p in parameters.items()}
        losses.append(loss.item())
        optimizer.step()
    return losses, norms


@torch.no_grad()
def logits_at(model, ids, row, position):
    return model(input_ids=ids).logits[row, position].tolist()


def make(name):
    draw = torch.Generator().manual_seed(sum(map(ord, name)))
    folder = HERE / name
    model = make_model(SETTINGS[name], draw)
    model.save_pretrained(folder)
    ids, labels = make_batch(draw)
    (folder / "batch.json").write_text(json.dumps({"input_ids": ids.tolist(), "labels": labels.tolist()}))
    expected = {
        "logits_last_position_row0": logits_at(model, ids, 0, -1),
        "logits_row2_pos5": logits_at(model, ids, 2, 5),
    }
    if name == "phi3":
        # Up to the positions of its first training, it turns by others.
        expected["logits_of_32_row1"] = logits_at(model, ids[:, :32], 1, -1)
    adapted = add_adapter(model, draw)
    adapted.save_pretrained(folder / "adapter_init")
    losses, norms = train(adapted, ids, labels)
    adapted.save_pretrained(folder / "adapter_final")
    for which in ["adapter_init", "adapter_final"]:
        (folder / which / "README.md").unlink(missing_ok=True)
    expected |= {
        "loss_with_adapter_init": losses[0],
        "lora_grad_norms": norms,
        "optimizer": OPTIMIZER,
        "adamw_losses": losses,
        "final_logits_last_position_row0": logits_at(adapted, ids, 0, -1),
    }
    (folder / "expected.json").write_text(json.dumps(expected))
    print(name, losses[0], losses[-1], torch.tensor(expected["logits_row2_pos5"]).std().item())


found = {package.__name__: package.__version__.split("+")[0] for package in [torch, transformers, peft]}
if found != VERSIONS:
    sys.exit(f"Needs {VERSIONS}, not {found}.")
torch.set_num_threads(1)
for name in sys.argv[1:] or SETTINGS:
    make(name)
