#!/usr/bin/env bash
# Trials as a careful engineer does them without Assay: bash and the official Kafka classes, nothing else. It starts three
# brokers, runs one warm-up pass and the trials, and checks each: exit code, count, end offsets, ISR. Then it ends the
# brokers and looks that nothing is left.
#
#   plain.sh FOLDER
#
# FOLDER holds what plain-lab.ts writes: `settings`, and command lines with one argument a line: `bN/format`, `bN/broker`,
# `tool`, `producer` (in which @TOPIC@ and @BATCH@ stand for a trial's own). It prints `<trial> <step> <ms>` for each step.
set -euo pipefail
export LC_ALL=C
cd "$1"
# shellcheck source=/dev/null
source ./settings # BOOTSTRAP PARTITIONS REPLICATION TOPIC_CONFIG RECORDS DEVICE QUIET_MS LIMIT_MS WARM_UP TRIALS
mapfile -t tool <tool
mapfile -t producer <producer
declare -A broker=()
nodes=(b*)

fail() { echo "plain.sh: $*" >&2; exit 1; }
now_ms() { now=$((${EPOCHREALTIME/./} / 1000)); }
lap() { now_ms; echo "$1 $2 $((now - lap_from))"; lap_from=$now; }
topics() { "${tool[@]}" org.apache.kafka.tools.TopicCommand --bootstrap-server "$BOOTSTRAP" "$@"; }

start_brokers() {
  local node
  for node in "${nodes[@]}"; do
    (
      mapfile -t format <"$node/format"
      mapfile -t run <"$node/broker"
      "${format[@]}"
      exec "${run[@]}"
    ) >"$node/out" 2>"$node/err" &
    broker[$node]=$!
  done
  for node in "${nodes[@]}"; do
    until grep -qs 'Kafka Server started' "$node/broker.log"; do
      kill -0 "${broker[$node]}" || fail "$node died: $(tail -n 1 "$node/err")"
      sleep 0.2
    done
  done
}

# Nothing of it is kept, and three brokers that stop at once wait for each other: TERM, and KILL after 2 s.
end_brokers() {
  local node i
  for node in "${!broker[@]}"; do kill "${broker[$node]}" 2>/dev/null || true; done
  for node in "${!broker[@]}"; do
    for ((i = 0; i < 20; i++)); do kill -0 "${broker[$node]}" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "${broker[$node]}" 2>/dev/null || true
    wait "${broker[$node]}" 2>/dev/null || true
  done
  broker=()
}
trap end_brokers EXIT
trap 'exit 130' INT TERM HUP

# Sets dirty (bytes, Dirty + Writeback) and written (sectors).
look() {
  local key number _ a
  dirty=0
  while read -r key number _; do
    case $key in Dirty: | Writeback:) dirty=$((dirty + number * 1024)) ;; esac
  done </proc/meminfo
  written=0
  if [[ $DEVICE != - ]]; then read -ra a <"/sys/class/block/$DEVICE/stat"; written=${a[6]}; fi
}

# Quiet: below the base + 64 MiB, and below 1 MiB/s of device writes, for QUIET_MS; looked at once a second.
settle() {
  local started before_at before quiet_since=0
  sync
  now_ms
  look
  started=$now before_at=$now before=$written
  while ((now - started < LIMIT_MS)); do
    sleep 1
    now_ms
    look
    if ((dirty < base + 64 * 1024 * 1024 && (written - before) * 512 * 1000 / (now - before_at) < 1024 * 1024)); then
      if ((quiet_since == 0)); then quiet_since=$now; fi
      if ((now - quiet_since >= QUIET_MS)); then return; fi
    else quiet_since=0; fi
    before_at=$now before=$written
  done
  echo "plain.sh: not quiet within $LIMIT_MS ms" >&2
}

check_log() {
  local in_log described
  in_log=$("${tool[@]}" org.apache.kafka.tools.GetOffsetShell --bootstrap-server "$BOOTSTRAP" --topic "$1" |
    awk -F: '{ sum += $3 } END { print sum + 0 }')
  ((in_log == RECORDS)) || fail "$1 holds $in_log records instead of $RECORDS"
  described=$(topics --describe --topic "$1")
  grep -c $'\tPartition: ' <<<"$described" | grep -qx "$PARTITIONS" || fail "$1: $described"
  # Of each partition as many replicas in sync as there are.
  awk -F'\t' '/\tPartition: / {
    for (i = 1; i <= NF; i++) { if ($i ~ /^Replicas: /) r = $i; if ($i ~ /^Isr: /) s = $i }
    if (gsub(/,/, ",", r) != gsub(/,/, ",", s)) exit 1
  }' <<<"$described" || fail "$1 is not in sync: $described"
}

delete_topic() {
  topics --delete --topic "$1"
  local i
  for ((i = 0; i < 300; i++)); do
    compgen -G "b*/data/$1-*" >/dev/null || return 0
    sleep 0.2
  done
  fail "folders of $1 are still there"
}

trial() {
  local name=$1 batch=$2 topic=plain-$1
  mkdir "trial-$name"
  topics --create --topic "$topic" --partitions "$PARTITIONS" --replication-factor "$REPLICATION" --config "$TOPIC_CONFIG" >/dev/null
  lap "$name" prepare
  settle
  lap "$name" settle
  local -a command=("${producer[@]//@TOPIC@/$topic}")
  (cd "trial-$name" && "${command[@]//@BATCH@/$batch}" >stdout 2>stderr) || fail "$topic: the tool ended with $?"
  lap "$name" load
  grep -q "^$RECORDS records sent, .* 99th" "trial-$name/stdout" || fail "$topic: the tool did not send $RECORDS records"
  check_log "$topic"
  lap "$name" verify
  delete_topic "$topic"
  lap "$name" release
}

now_ms
lap_from=$now
start_brokers
look
base=$dirty
lap - start
number=0
for batch in $WARM_UP $TRIALS; do
  number=$((number + 1))
  kind=t
  if ((number <= $(wc -w <<<"$WARM_UP"))); then kind=warm; fi
  trial "$kind$number" "$batch"
done
end_brokers
rm -rf b*/data
if pgrep -f -- "$PWD/" >/dev/null; then fail "something still runs: $(pgrep -af -- "$PWD/")"; fi
lap - end
