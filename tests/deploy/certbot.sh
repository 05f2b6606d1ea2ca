#!/bin/sh
# Stands for `certbot --nginx --redirect -d NAME`: the certificate is signed by the test's authority instead of a public
# one; nginx's file is changed as certbot changes it, and Caddy is told not to ask a public one.
set -eu
for name; do :; done
kept=/etc/letsencrypt/live/$name
mkdir -p "$kept"
openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$kept/privkey.pem" -out "$kept/request.pem" 2>/dev/null
printf 'subjectAltName=DNS:%s\n' "$name" > "$kept/names"
openssl x509 -req -in "$kept/request.pem" -CA /etc/authority/ca.crt -CAkey /etc/authority/ca.key -CAcreateserial \
  -days 29 -extfile "$kept/names" -out "$kept/fullchain.pem" 2>/dev/null
site=/etc/nginx/sites-available/pbem
if [ ! -e "$site" ]; then
  chgrp caddy "$kept/privkey.pem" && chmod 640 "$kept/privkey.pem" && chmod 755 /etc/letsencrypt /etc/letsencrypt/live
  sed -i "s|^\\treverse_proxy|\\ttls $kept/fullchain.pem $kept/privkey.pem\\n&|" /etc/caddy/Caddyfile
  systemctl restart caddy
  exit
fi
sed -i "s|^  listen 80;|  listen 443 ssl; ssl_certificate $kept/fullchain.pem; ssl_certificate_key $kept/privkey.pem;|
  s|^  listen \[::\]:80;|  listen [::]:443 ssl ipv6only=on;|" "$site"
printf 'server {\n  listen 80;\n  listen [::]:80;\n  server_name %s;\n  return 301 https://$host$request_uri;\n}\n' "$name" >> "$site"
nginx -t
systemctl reload nginx
