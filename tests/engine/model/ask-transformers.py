"""What transformers makes of a model folder and some conversations, as JSON.

Called by transformers.test.ts where that package is installed:
    python3 ask-transformers.py MODEL_FOLDER CONVERSATIONS_JSON
Answers for each conversation {"ids": [...], "logits": [[...], ...], "answer": "..."}: its tokens with the opening of the
next turn, the logits behind each of them, and the likeliest answer.
"""

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

folder, conversations = sys.argv[1], json.loads(sys.argv[2])
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


@torch.no_grad()
def ask(messages):
    inputs = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    ids = inputs["input_ids"]
    answered = model.generate(**inputs, max_new_tokens=60)[0, ids.shape[1] :]
    answer = tokenizer.decode(answered, skip_special_tokens=True)
    return {"ids": ids[0].tolist(), "logits": model(ids).logits[0].tolist(), "answer": answer}


print(json.dumps([ask(messages) for messages in conversations]))
