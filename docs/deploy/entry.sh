#!/bin/sh
# What a container runs: `serve` (all in one process), `web`, `worker`, `mailer`, `beat`, `smtpd`, or a command of pbem.
# A setting NAME may come from a file, named by NAME_FILE: that is how secrets are handed in.
set -eu
umask 077
for name in DATABASE_URL REDIS_URL SECRET_KEYS SMTP_URL IMAP_URL WEBHOOK_SECRET METRICS_TOKEN; do
  eval "file=\${${name}_FILE:-}"
  if [ -n "$file" ]; then
    value=$(cat "$file")
    export "$name=$value"
  fi
done
app="--app pbem._worker"
# The log is standard error; what is said on standard output greets a person who looks on.
case ${1:-serve} in serve|web|worker|mailer|beat|smtpd) exec >/dev/null ;; esac
quiet="--without-gossip --without-mingle --loglevel warning"
case ${1:-serve} in
  serve) shift || true; exec pbem serve --host 0.0.0.0 --mail-port 8025 --mail-host 0.0.0.0 "$@" ;;
  web) exec gunicorn --no-control-socket --logger-class pbem.server_log.ServerLogger --worker-class gthread --preload \
         --workers "${WEB_WORKERS:-2}" --threads 8 \
         --bind "$WEB_BIND" "pbem.app:create_app()" ;;
  worker) exec celery $app worker --queues games,mails $quiet --concurrency "${WORKERS:-2}" ;;
  mailer) exec celery $app worker --queues letters $quiet --concurrency "${MAILERS:-1}" ;;
  beat) exec celery $app beat --loglevel warning --schedule /data/beat ;;
  smtpd) exec pbem mail listen --host 0.0.0.0 ;;
  *) exec pbem "$@" ;;
esac
