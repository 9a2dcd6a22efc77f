#!/bin/sh
# Runs Practicum as it was released: with the Node beside it, from a folder that nobody has to write to.
set -eu

home=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
settings=/etc/practicum/practicum.env
node=$home/bin/node

usage() {
  cat <<'TEXT'
practicum start               serves until it is told to stop
practicum start web           with DATABASE_URL only the pages and calls, else everything
practicum start worker        with DATABASE_URL only emails and jobs
practicum backup FILE         writes a backup of a running or stopped installation
practicum restore FILE        restores a backup into an empty installation
practicum admin [COMMAND]     what has to be done from outside, such as the first account
practicum has-database        succeeds when a database of your own is set, and the worker runs by itself
practicum check               succeeds when this machine's Practicum answers
practicum version             says which version this is
practicum help                says this
Settings come from the environment and from /etc/practicum/practicum.env; the environment wins.
TEXT
}

# The value of a setting; nothing when it is not set.
setting() {
  eval "value=\${$1:-}"
  if [ -z "$value" ] && [ -r "$settings" ]; then
    value=$(sed -n "s/^$1=//p" "$settings" | tail -n 1)
  fi
  printf '%s' "$value"
}

has_database() {
  [ -n "$(setting DATABASE_URL)$(setting DATABASE_URL_FILE)" ]
}

run() {
  if [ "$home" = /usr/lib/practicum ] && [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid=practicum --regid=practicum --init-groups -- "$0" "$@"
  fi
  if [ -e "$settings" ] && [ ! -r "$settings" ]; then
    echo "The settings in $settings may be read by root and practicum alone: run this command with sudo." >&2
    exit 1
  fi
  # The queue looks for settings of its own in the folder where it is started.
  [ -r . ] || cd /
}

start() {
  export PRACTICUM_COMMAND=practicum
  data=$(setting DATA_DIR)
  # Compiled code is kept where the installation's own data is, and never before that folder is known as its own.
  if [ -w "${data:-data}/practicum.json" ]; then
    export NODE_COMPILE_CACHE="${data:-data}/cache"
  fi
  [ ! -e "$settings" ] || set -- --env-file="$settings" "$@"
  exec "$node" "$@"
}

command=${1:-help}
[ $# -eq 0 ] || shift
case $command in
  start)
    run start "$@"
    case ${1:-} in
      '') ;;
      web) if has_database; then export ROLE=web; else export ROLE=all; fi ;;
      worker)
        if ! has_database; then
          echo 'The worker runs by itself only with DATABASE_URL: with the embedded database "practicum start" does its work.' >&2
          exit 1
        fi
        export ROLE=worker
        ;;
      *) usage >&2; exit 2 ;;
    esac
    export @environment@
    start @arguments@
    ;;
  backup | restore | admin)
    run "$command" "$@"
    start "$home/scripts/$command.ts" "$@"
    ;;
  has-database) has_database ;;
  check)
    port=$(setting PORT)
    exec "$node" -e 'fetch(process.argv[1]).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' \
      "http://127.0.0.1:${port:-8080}/readyz"
    ;;
  version) exec "$node" -p 'require(process.argv[1]).version' "$home/package.json" ;;
  help) usage ;;
  *) usage >&2; exit 2 ;;
esac
