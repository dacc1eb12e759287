#!/bin/sh
# Starts the program CHROMIUM_PROGRAM without the right to raise its priority, where that is possible.
if setpriv --bounding-set=-sys_nice true 2>/dev/null; then
  exec setpriv --bounding-set=-sys_nice "$CHROMIUM_PROGRAM" "$@"
fi
exec "$CHROMIUM_PROGRAM" "$@"
