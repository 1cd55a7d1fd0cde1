"""Trains an adapter with PyTorch, transformers and PEFT, step by step as svc's own engine does."""
