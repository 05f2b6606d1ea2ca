#!/bin/sh
# Stands for the official image: a new cluster with the user, the password and the database that the settings name.
set -eu
bin=$(ls -d /usr/lib/postgresql/*/bin)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  chown postgres "$PGDATA"
  runuser -u postgres -- "$bin/initdb" -D "$PGDATA" -U "$POSTGRES_USER" -A scram-sha-256 --pwfile "$POSTGRES_PASSWORD_FILE"
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB;" | runuser -u postgres -- "$bin/postgres" --single -D "$PGDATA" postgres
fi
exec runuser -u postgres -- "$bin/postgres" -D "$PGDATA" -h '*'
