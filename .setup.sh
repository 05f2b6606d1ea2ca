# Sourced by ./demo and ./test from the project's folder: makes .venv hold exactly what a lock file names.
# `prepare run` installs what playing needs, `prepare test` the checking tools and the benchmarks' peers too.

# Debian's own is built with optimisation by profile, which one compiled by hand often lacks: the tests take a seventh less.
debians=/usr/bin/python3
python=${PYTHON:-python3}
if [ -z "${PYTHON:-}" ] &&
  "$debians" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  python=$debians
fi

# uv, here and in the tests, brings roots of its own along; behind a proxy that signs anew only the machine's will do.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || export UV_SYSTEM_CERTS=1

give_up() {
  printf '%s\n' "$*" >&2
  exit 1
}

find_python() {
  command -v "$python" >/dev/null 2>&1 ||
    give_up "pbem needs Python 3.11 or newer and found no '$python': install it with 'apt-get install python3 python3-venv', or name one with PYTHON=/path/to/python."
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    give_up "pbem needs Python 3.11 or newer, '$python' is $("$python" -c 'import platform; print(platform.python_version())'): install a newer one, or name one with PYTHON=/path/to/python."
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    give_up "Python's venv module is missing: install it with 'apt-get install python3-venv', then start again."
}

make_venv() {
  # A folder that was moved or copied, or whose Python is gone, is made anew: its scripts name the old place.
  if ! grep -qsF "$PWD/.venv" .venv/bin/activate || ! .venv/bin/python -c '' 2>/dev/null; then
    find_python
    [ -w . ] || give_up "pbem may not write in $PWD: clone it into a folder of yours, or mend that folder's owner with 'chown'."
    "$python" -m venv --clear .venv || give_up "The virtual environment could not be made in $PWD/.venv: see the lines above."
  fi
}

# The lines of one package in a lock, so that the installer itself is pinned by hash like everything else.
locked() {
  awk -v name="$1==" 'index($0, name) == 1 { on = 1 } on { print } on && !/\\$/ { exit }' "$2"
}

fetch() {
  lock=$1
  locked uv "$lock" >.venv/uv.txt
  pip=".venv/bin/python -m pip install --quiet --disable-pip-version-check"
  if $pip --require-hashes --no-deps -r .venv/uv.txt &&
    .venv/bin/python -m uv pip install --quiet --python .venv/bin/python --require-hashes -r "$lock"; then
    return
  fi
  echo "The fast installer did not get through; trying plain pip, which takes a minute." >&2
  $pip --require-hashes -r "$lock" ||
    give_up "The packages of $lock could not be fetched: check the network and the space on the disk, then start again."
}

prepare() {
  lock=requirements.lock
  [ "$1" = run ] || lock=requirements-test.lock
  make_venv
  stamp="$(cat .setup.sh requirements.lock requirements-test.lock pyproject.toml | cksum)"
  # What the tests need holds all that playing needs, so either stamp will do for ./demo.
  if [ "$(cat ".venv/stamp-$1" 2>/dev/null)" = "$stamp" ]; then return; fi
  if [ "$1" = run ] && [ "$(cat .venv/stamp-test 2>/dev/null)" = "$stamp" ]; then return; fi
  [ -w .venv ] || give_up "pbem may not write in $PWD/.venv: mend its owner with 'chown', or remove it and start again."
  echo "Setting up .venv from $lock: once, about half a minute." >&2
  fetch "$lock"
  # Built with the locked tools, without looking anywhere else.
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e . ||
    give_up "pbem itself could not be installed into .venv: remove the folder .venv and start again."
  # Where Python may keep nothing it compiles, each process would compile all it loads: two of its three seconds.
  .venv/bin/python -m compileall -q -j 0 .venv/lib pbem >/dev/null || :
  printf '%s\n' "$stamp" >".venv/stamp-$1"
}
