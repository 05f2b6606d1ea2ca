"""The Celery app for `celery --app worker`: made from the same environment as the pages."""

from pbem.app import create_app

# Celery would take a name `app` for its own app, so the Flask app gets no name here.
celery = create_app(doors=False).extensions["celery"]
