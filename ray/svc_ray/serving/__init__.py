"""Answers for a cloud on Ray Serve: replicas around svc's own engine, with adapters by digest."""
