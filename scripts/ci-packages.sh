#!/usr/bin/env bash
# Sees to it that PostgreSQL is there for the tests of its session store. They start a server of their own.
# Where it can be neither found nor installed, those tests are skipped, and say so.
set -euo pipefail

if command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo 'PostgreSQL is not installed, and cannot be installed here: its tests are skipped.'
  exit 0
fi
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y postgresql
