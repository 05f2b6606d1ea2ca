"""The Celery app for `celery --app worker`: made from the same environment as the pages."""

from pbem.app import create_app

app = create_app()
celery = app.extensions["celery"]
