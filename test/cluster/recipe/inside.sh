#!/usr/bin/env bash
# inside.sh COMMAND...  The first process of the namespaces that with-cluster.sh made: cluster up, command, exit code.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
REPOSITORY=$(cd "$HERE/../../.." && pwd)

# What kubelet, containerd and CNI write outside of their own folders goes to the run's folder.
mount -t tmpfs -o mode=755 tmpfs /run
for part in lib log; do
  mkdir -p "$LAB/var/$part/upper" "$LAB/var/$part/work"
  mount -t overlay overlay -o "lowerdir=/var/$part,upperdir=$LAB/var/$part/upper,workdir=$LAB/var/$part/work" "/var/$part"
done
# Homes are closed to other users; workers of tests are other users.
mkdir "$LAB/repository" "$LAB/bin"
mount --bind "$REPOSITORY" "$LAB/repository"
cp -l "$(command -v kubectl)" "$LAB/bin/kubectl" 2>/dev/null || cp "$(command -v kubectl)" "$LAB/bin/kubectl"

CGROUP=/${LAB##*/} "$HERE/up.sh" >&2

# The measuring worker must not reach brokers: neither workers (by uid) nor tests (by gid) can send to pods.
for owner in --uid-owner --gid-owner; do
  iptables -w -A OUTPUT -d "$POD_RANGE" -m owner "$owner" "$TESTS_ID" -j DROP
done
export KUBECONFIG=$LAB/client.kubeconfig PATH=$LAB/bin:$PATH
code=0
setpriv --regid "$TESTS_ID" --clear-groups "$@" || code=$?
exit "$code"
