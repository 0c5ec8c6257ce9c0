#!/usr/bin/env bash
# stage.sh packages|source FOLDER   Puts that part of the worker's image below FOLDER/app, out of the tree that it lies in. What
# goes in is listed here and nowhere else; deploy/Dockerfile and the images of test/cluster are made by it.
set -euo pipefail
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
part=${1:-} app=${2:?a folder}/app

# Assay itself, and its entry for local labs of a derived image.
source=(package.json bin src workflows activities schema deploy/kafka)

# Of packages: what no process reads. Natives of other machines, sources of natives, types, maps of sources.
unread=(
  '*/@temporalio/core-bridge/releases/*'
  '*/@temporalio/core-bridge/sdk-core'
  '*/@temporalio/core-bridge/bridge-macros'
  '*/@temporalio/core-bridge/src'
  '*/@temporalio/core-bridge/Cargo.*'
  '*/echarts/dist'
  '*.d.ts' '*.d.mts' '*.d.cts' '*.map'
)

copy() { # copy TAR-OPTIONS...
  mkdir -p "$app"
  tar -C "$tree" --mode=u=rwX,go=rX "$@" | tar -C "$app" --no-same-owner -x
}

case $part in
source) copy -c "${source[@]}" ;;
packages)
  native=node_modules/@temporalio/core-bridge/releases/$(uname -m)-unknown-linux-gnu
  # npm knows what is for production. What a package has for itself lies in its own folder.
  mapfile -t packages < <(cd "$tree" && npm ls --omit=dev --all --parseable 2>/dev/null | sed -n "s|^$tree/||p" | grep -E '^node_modules/(@[^/]+/)?[^/]+$' | sort -u)
  ((${#packages[@]} > 100)) || { echo "stage.sh: run npm ci in $tree first" >&2; exit 1; }
  copy "${unread[@]/#/--exclude=}" -c "${packages[@]}"
  copy -c "$native"
  ;;
*)
  echo 'usage: stage.sh packages|source FOLDER' >&2
  exit 2
  ;;
esac
