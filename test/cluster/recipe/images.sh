#!/usr/bin/env bash
# images.sh [worker]  The images of the cluster, made without a daemon: one docker-archive each, kept by the hash of what
# goes in. Prints the archives' paths. `worker` adds the image of Assay's own worker from this working tree.
set -euo pipefail
shopt -s inherit_errexit
. "$(dirname "$0")/env.sh"
REPOSITORY=$(cd "$HERE/../../.." && pwd)
NODEJS=$REPOSITORY/node_modules/node/bin/node
IMAGES=$CACHE/images
mkdir -p "$IMAGES"
exec 8>"$CACHE/images.lock"
flock 8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. /etc/os-release

hash() { sha256sum | cut -c1-12; }
hash_of() { (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | hash; }

# layer NAME KEY FUNCTION  The path of a layer; FUNCTION writes it to the file it is given when there is none.
layer() {
  local file=$IMAGES/$1-$2.layer.tar
  if [ ! -s "$file" ]; then
    "$3" "$file.draft" >&2
    mv "$file.draft" "$file"
  fi
  echo "$file"
}

# archive REFERENCE CONFIG LAYER...  An image as `ctr images import` takes it. CONFIG is the JSON of the image's config.
archive() {
  local reference=$1 config=$2 file folder ids=() sums layers part
  shift 2
  file=$IMAGES/$(tr -c 'a-zA-Z0-9.\n' - <<<"${reference#docker.io/}")-$({ echo "$reference $config $*"; } | hash).image.tar
  if [ ! -s "$file" ]; then
    folder=$(mktemp -d -p "$IMAGES")
    for part; do
      sums=$(sha256sum <"$part" | cut -d' ' -f1)
      ids+=("$sums")
      mkdir -p "$folder/$sums"
      ln "$part" "$folder/$sums/layer.tar"
    done
    layers=$(printf '"%s/layer.tar",' "${ids[@]}")
    printf '{"architecture":"amd64","os":"linux","created":"2020-01-01T00:00:00Z","config":%s,"rootfs":{"type":"layers","diff_ids":[%s]}}' \
      "$config" "$(printf '"sha256:%s",' "${ids[@]}" | sed 's/,$//')" >"$folder/config.json"
    printf '[{"Config":"config.json","RepoTags":["%s"],"Layers":[%s]}]' "$reference" "${layers%,}" >"$folder/manifest.json"
    tar -C "$folder" --sort=name --mtime=@0 -cf "$file.draft" .
    mv "$file.draft" "$file"
    rm -rf "$folder"
  fi
  echo "$file"
}

# owned_by USER FILE FOLDER  Appends a folder's content to a layer, all of it owned by one user.
owned_by() { tar -C "$3" --sort=name --mtime=@0 --owner="$1" --group="$1" --numeric-owner -rf "$2" .; }

# passwd NAME UID FOLDER  The base's users and one more, with a home.
passwd() {
  local file
  for file in passwd group; do tar -xOf "$base" "./etc/$file" >"$work/$file"; done
  mkdir -p "$3/etc"
  { cat "$work/passwd"; echo "$1:x:$2:$2::/home/$1:/bin/bash"; } >"$3/etc/passwd"
  { cat "$work/group"; echo "$1:x:$2:"; } >"$3/etc/group"
}

debian() {
  local sources=/etc/apt/sources.list options=() file
  [ ! -f /etc/apt/sources.list.d/debian.sources ] || sources=/etc/apt/sources.list.d/debian.sources
  for file in /etc/apt/apt.conf.d/*; do [ ! -f "$file" ] || options+=(--aptopt="$file"); done
  mmdebstrap --quiet --variant=essential "${options[@]}" --include=procps,libstdc++6,zlib1g \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$VERSION_CODENAME" "$1" - --format=tar <"$sources"
}

# The machine's own Java: the image is of the same Debian release, so its libraries fit. Only what a JRE has.
jre() {
  local home=$JAVA/opt
  mkdir -p "$work/jre/opt/java"
  ln -sfn "$JAVA" "$work/jre/opt/java/openjdk"
  tar -C / -cf "$1" --exclude='*.jmod' --exclude=ct.sym --exclude=src.zip --exclude='libjawt*' \
    "${JAVA#/}"/bin/{java,keytool,jfr,rmiregistry} "${JAVA#/}"/{lib,conf,release} \
    $(cd / && ls -d etc/java-*-openjdk 2>/dev/null)
  tar -C "$work/jre" --owner=0 --group=0 -rf "$1" ./opt
}

kafka() {
  local root=$work/kafka own=$work/kafka-own tool class heap
  mkdir -p "$root" "$own/opt/kafka/"{bin,config,logs} "$own/var/lib/kafka/data" "$own/etc/kafka/"{docker,secrets} \
    "$own/mnt/shared/config" "$own/home/appuser" "$own/usr/logs"
  ln -s "$LIBS" "$own/opt/kafka/libs"
  passwd appuser 1000 "$root"
  cp "$HERE"/kafka/bin/*.sh "$own/opt/kafka/bin/"
  while read -r tool class heap; do
    {
      echo '#!/bin/bash'
      [ -z "$heap" ] || printf ': "${KAFKA_HEAP_OPTS:=%s}"\nexport KAFKA_HEAP_OPTS\n' "$heap"
      echo "exec \"\$(dirname \"\$0\")/kafka-run-class.sh\" $class \"\$@\""
    } >"$own/opt/kafka/bin/$tool"
  done <"$HERE/kafka/tools"
  cp "$HERE"/kafka/docker/* "$own/etc/kafka/docker/"
  cp "$HERE"/kafka/docker/*.{yaml,properties} "$own/opt/kafka/config/"
  chmod 755 "$own"/opt/kafka/bin/*.sh "$own/etc/kafka/docker/run"
  tar -cf "$1" -T /dev/null
  owned_by 0 "$1" "$root"
  # only folders of Kafka's own: the layer must not touch the owner of /, /etc, /opt, /usr or /var
  tar -C "$own" --sort=name --mtime=@0 --owner=1000 --group=1000 --numeric-owner --dereference -rf "$1" \
    ./opt/kafka ./var/lib/kafka ./etc/kafka ./mnt/shared ./home/appuser ./usr/logs
}

pause() {
  mkdir "$work/pause"
  cp "$(folder_of own)/pause" "$work/pause/"
  tar -C "$work/pause" --sort=name --mtime=@0 -cf "$1" pause
}

# What goes into the worker's image is said by deploy/image/stage.sh, as for deploy/Dockerfile.
worker_packages() {
  "$STAGE" packages "$work/packages"
  mkdir -p "$work/node/usr/local/bin" "$work/node-home/home/assay"
  ln -s /app/node_modules/node/bin/node "$work/node/usr/local/bin/node"
  passwd assay 1000 "$work/node"
  tar -cf "$1" -T /dev/null
  owned_by 0 "$1" "$work/packages"
  owned_by 0 "$1" "$work/node"
  tar -C "$work/node-home" --mtime=@0 --owner=1000 --group=1000 -rf "$1" ./home/assay
}

worker_source() {
  tar -cf "$1" -T /dev/null
  owned_by 0 "$1" "$work/source"
}

JAVA=$(readlink -f "$(command -v java)")
JAVA=${JAVA%/bin/java}
LIBS=$("$NODEJS" --disable-warning=ExperimentalWarning "$HERE/kafka-libs.ts" "$KAFKA")
base=$(layer base "$VERSION_CODENAME-2" debian)
java=$(layer jre "$(cat "$JAVA/release" | hash)" jre)
kafka=$(layer kafka "$({ basename "$LIBS"; hash_of "$HERE/kafka"; cat "$0"; } | hash)" kafka)
pause=$(layer pause "$(sha256sum <"$(folder_of own)/pause" | cut -c1-12)" pause)

path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
archive lab.local/pause:1 '{"Entrypoint":["/pause"]}' "$pause"
archive docker.io/apache/kafka:$KAFKA '{"User":"appuser","Env":["PATH=/opt/java/openjdk/bin:'$path'","JAVA_HOME=/opt/java/openjdk","LANG=C.UTF-8"],"Cmd":["/etc/kafka/docker/run"],"WorkingDir":"/","ExposedPorts":{"9092/tcp":{}}}' "$base" "$java" "$kafka"
if [ "${1:-}" = worker ]; then
  STAGE=$REPOSITORY/deploy/image/stage.sh
  packages=$(layer worker-packages "$({ sha256sum <"$REPOSITORY/package-lock.json"; cat "$STAGE"; declare -f worker_packages; } | hash)" worker_packages)
  "$STAGE" source "$work/source"
  source=$(layer worker-source "$(hash_of "$work/source")" worker_source)
  archive docker.io/assay/worker:test '{"User":"1000","Env":["PATH='$path'","HOME=/home/assay","SWC_NATIVE_BINDING_CACHE_SKIP_SECURITY_CHECK=1"],"Entrypoint":["node","/app/bin/assay.js"],"WorkingDir":"/app"}' "$base" "$packages" "$source"
fi
