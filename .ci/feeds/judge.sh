#!/usr/bin/env bash
# Judges the feeds of a built site with parsers written by others, all pinned:
# judge.sh SITE_DIR. A judge that cannot be had is a failure.
set -euo pipefail
site=$(realpath "${1:?usage: judge.sh SITE_DIR}")
cd "$(dirname "$0")"

cache=$PWD/../../.cache/feeds
if ! cmp -s package-lock.json "$cache/installed.json"; then
  mkdir -p "$cache"
  rm -f "$cache/installed.json"
  cp package.json package-lock.json "$cache/"
  npm --prefix "$cache" ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
  cp package-lock.json "$cache/installed.json"
fi
FEED_JUDGES=$(realpath "$cache") node judge.mjs "$site"

# Debian's own python sees the packages of apt; another one in PATH may not.
python=/usr/bin/python3
if ! "$python" -c 'import feedparser, icalendar' 2>/dev/null; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get -qq install --yes --no-install-recommends python3-feedparser python3-icalendar >&2
fi
"$python" judge.py "$site"
# Few registers have maintenance announced: the calendar of the tests has several windows.
"$python" calendars.py "$site" ../../render/feed/testdata
