#!/usr/bin/env bash
# with-cluster.sh COMMAND...  Runs a command beside a real Kubernetes cluster of its own and leaves nothing of it behind.
#
# Network, mounts and processes are in namespaces of their own, so whatever happens they end with this script; what
# has to be cleaned is one folder below /tmp and one cgroup. There is no outside network in there: fetch first.
# The command finds KUBECONFIG, kubectl and ASSAY_CLUSTER_RUN (the cluster's folder). ASSAY_CLUSTER_LOGS=FOLDER keeps logs,
# ASSAY_CLUSTER_WORKER=1 brings the image of Assay's worker.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$folder/recipe/env.sh"
if (($# == 0)) || ((EUID != 0)); then
  echo 'usage, as root: test/cluster/with-cluster.sh COMMAND...' >&2
  exit 2
fi

# remove RUN-FOLDER  Its cgroups and the folder; everything that used them is dead.
remove() {
  local cgroup left
  for cgroup in /sys/fs/cgroup/*/"${1##*/}"; do
    [ -d "$cgroup" ] || continue
    for left in $(seq 50); do
      find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
      [ -d "$cgroup" ] || break
      sleep 0.2
    done
  done
  rm -rf --one-file-system "$1"
}

finish() {
  trap '' INT TERM HUP
  [ -z "${inner:-}" ] || kill -KILL "$inner" 2>/dev/null || true
  wait 2>/dev/null || true
  if [ -n "${ASSAY_CLUSTER_LOGS:-}" ]; then
    mkdir -p "$ASSAY_CLUSTER_LOGS"
    cp -r "$LAB"/logs/. "$LAB"/podlogs "$ASSAY_CLUSTER_LOGS" 2>/dev/null || true
  fi
  remove "$LAB"
}

"$folder/recipe/build.sh" >&2
ASSAY_CLUSTER_IMAGES=$("$folder/recipe/images.sh" ${ASSAY_CLUSTER_WORKER:+worker})
export ASSAY_CLUSTER_IMAGES

# what a killed run could not clean: its lock is free
for stale in $(find /tmp -maxdepth 1 -name "assay-cluster.*" -mmin +1); do
  if flock -n "$stale/lock" true 2>/dev/null; then remove "$stale"; fi
done
LAB=$(mktemp -d /tmp/assay-cluster.XXXXXX)
chmod 755 "$LAB"
exec 7>"$LAB/lock"
flock 7
export ASSAY_CLUSTER_RUN=$LAB
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

setpriv --pdeathsig KILL unshare --net --mount --pid --fork --kill-child --mount-proc \
  "$folder/recipe/inside.sh" "$@" 7>&- <&0 &
inner=$!
code=0
wait "$inner" || code=$?
exit "$code"
