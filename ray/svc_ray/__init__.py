"""Trains svc's jobs on a Ray cluster. `svc_ray.run` is what a submission starts."""

__version__ = "0.1.0"
