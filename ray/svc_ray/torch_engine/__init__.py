"""Trains an adapter with PyTorch and transformers, step by step as svc's own engine does."""
