"""Endpoints for machines: health, metrics, mail hooks."""
