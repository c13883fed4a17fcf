#!/usr/bin/env bash
# Sees to it that what some tests need of the system is there: PostgreSQL for its session store (they start a server of their
# own), bubblewrap, socat and curl for the sandboxes of the shell, busybox for a host that has nothing else. Where it can be neither found nor installed, those tests are skipped, and say so.
set -euo pipefail

missing=()
command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
if [ "$(uname)" = Linux ] && ! command -v bwrap >/dev/null; then missing+=(bubblewrap); fi
if [ "$(uname)" = Linux ]; then for program in socat curl busybox; do command -v "$program" >/dev/null || missing+=("$program"); done; fi
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "Not installed, and cannot be installed here: ${missing[*]}. The tests that need it are skipped."
  exit 0
fi
apt-get update
# One that is not to be had costs its own tests alone.
for package in "${missing[@]}"; do
  DEBIAN_FRONTEND=noninteractive apt-get install -y "$package" || echo "$package could not be installed: the tests that need it are skipped."
done
