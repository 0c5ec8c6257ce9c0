#!/usr/bin/env bash
# build.sh  Debian packages and every binary of the cluster, built from the Go modules' source. What is there is kept.
# Needs: root, Debian's apt, go ≥ 1.26 and the Go module proxy.
set -euo pipefail
. "$(dirname "$0")/env.sh"
mkdir -p "$CACHE/bin"
exec 8>"$CACHE/build.lock"
flock 8

missing=()
for package in runc iptables iproute2 containernetworking-plugins conntrack mmdebstrap util-linux openssl; do
  dpkg -s $package >/dev/null 2>&1 || missing+=($package)
done
if ((${#missing[@]})); then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

export GOFLAGS='-p=2 -buildvcs=false -mod=readonly' CGO_ENABLED=0 GOTOOLCHAIN=local
version=k8s.io/component-base/version
flags="-s -w -X $version.gitVersion=v$KUBERNETES -X $version.gitMajor=1 -X $version.gitMinor=36 -X $version.gitTreeState=clean"

# group NAME BINARY=PACKAGE...  The binaries of one Go module; the folder appears when all of them are built.
group() {
  local name=$1 folder part from
  shift
  folder=$(folder_of "$name")
  [ -d "$folder" ] && return
  rm -rf "$folder.draft"
  mkdir "$folder.draft"
  for part; do
    from=$SECONDS
    (cd "$HERE/go/$name" && go build -trimpath -ldflags "$flags" -o "$folder.draft/${part%%=*}" "${part#*=}")
    echo "built ${part%%=*} in $((SECONDS - from)) s"
  done
  mv "$folder.draft" "$folder"
}

k=k8s.io/kubernetes/cmd c=github.com/containerd/containerd/v2/cmd
group kube kube-apiserver=$k/kube-apiserver kube-controller-manager=$k/kube-controller-manager \
  kube-scheduler=$k/kube-scheduler kubelet=$k/kubelet kube-proxy=$k/kube-proxy kubectl=$k/kubectl
group etcd etcd=go.etcd.io/etcd/server/v3
group containerd containerd=$c/containerd containerd-shim-runc-v2=$c/containerd-shim-runc-v2 ctr=$c/ctr
group coredns coredns=.
group own ebslab=./ebslab pause=./pause
