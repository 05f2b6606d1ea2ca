"""Celery: the queue, the tasks and their schedule, and the worker embedded in a web process."""
