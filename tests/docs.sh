#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# sh tests/docs.sh     builds the reference of the public headers, says where it is, and opens it in a browser
#
# What is missing is installed with apt-get, after saying so; where everything is there, root is not needed.
set -u
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
. "$folder/stages/need.sh"

case ${1:-} in
'') ;;
-h | --help)
    sed -n '5,7s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
*)
    sed -n '5,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
need docs
page=$(python3 "$folder/stages/reference.py" --build) || exit 1
printf 'The reference: %s\n' "$page"
# Without a screen there is nothing to open it on.
if [ "$(uname -s)" = Darwin ]; then
    open "$page"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && has xdg-open; then
    xdg-open "$page" >/dev/null 2>&1 &
fi
