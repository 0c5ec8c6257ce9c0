# shellcheck shell=bash
# Which processes belong to a capsule, and how they are proven dead. Sourced by capsule.sh and runner.sh.

# Reading with a timeout from a pipe that nobody writes to is a sleep without a fork.
exec {nap_fd}<> <(:)
read -r boot </proc/sys/kernel/random/boot_id

nap() { read -rt "$1" -u "$nap_fd" _; }

# Sets st_* from /proc/$1/stat. The command name may hold spaces and parentheses: fields start after the last ") ".
read_stat() {
  local line
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  # shellcheck disable=SC2086  # numbers and one letter
  set -- ${line##*) }
  st_state=$1 st_ppid=$2 st_pgrp=$3 st_sid=$4 st_start=${20}
}

# kill -0 calls zombies alive and knows no start time: neither proves anything.
alive() { read_stat "$1" && [[ $st_state != [ZXx] && $st_start == "$2" ]]; }

has_token() {
  local entry
  local -a entries=()
  { mapfile -d '' -t entries <"/proc/$1/environ"; } 2>/dev/null
  for entry in "${entries[@]}"; do [[ $entry != "ASSAY_CAPSULE=$c_token" ]] || return 0; done
  return 1
}

# Sets `found` to "pid:start" of every live process of the capsule, without process group $1. A process is ours by
# the token in its environment or by its exact start time; its session and its child's group only when one such
# process is in them, because the kernel gives a number away again once its last member is gone.
find_members() {
  local file pid own_sid=0 own_pgrp=0
  local -A maybe=()
  found=()
  for file in /proc/[0-9]*; do
    pid=${file#/proc/}
    read_stat "$pid" && [[ $st_state != [ZXx] ]] || continue
    if [[ "$pid $st_start" == "$c_pid $c_start" || "$pid $st_start" == "$k_pid $k_start" ]] || has_token "$pid"; then
      ((st_sid == c_pid)) && own_sid=1
      ((st_pgrp == k_pid)) && own_pgrp=1
      ((st_pgrp == $1 || pid == $$)) || found+=("$pid:$st_start")
    elif ((st_sid == c_pid || st_pgrp == k_pid)) && ((st_pgrp != $1)); then
      maybe[$pid]="$st_start $st_sid $st_pgrp"
    fi
  done
  for pid in "${!maybe[@]}"; do
    # shellcheck disable=SC2086
    set -- ${maybe[$pid]}
    if ((own_sid && $2 == c_pid || own_pgrp && $3 == k_pid)); then found+=("$pid:$1"); fi
  done
}

# SIGKILLs every live process of the capsule but those of group $1, until none is left. Fails after 10 s.
destroy() {
  local i one
  for ((i = 0; i < 200; i++)); do
    find_members "$1"
    ((${#found[@]})) || return 0
    for one in "${found[@]}"; do
      if alive "${one%:*}" "${one#*:}"; then kill -KILL "${one%:*}" 2>/dev/null; fi
    done
    nap 0.05
  done
  return 1
}

# "<boot id> <pod uid or -> <container or ->". A restarted container keeps pod UID and boot id, and its pids start
# low again: the start time of its first process tells it apart.
identity() {
  local pod container=-
  pod_uid
  if [[ $pod != - ]] && read_stat 1; then container="$(readlink /proc/self/ns/pid):$st_start"; fi
  printf '%s %s %s\n' "$boot" "$pod" "$container"
}

# Sets pod: its uid is in the path from which the kubelet mounts every container's /etc/hosts.
pod_uid() {
  local source target
  pod=${ASSAY_POD_UID:--}
  [[ $pod == - ]] || return 0
  while read -r _ _ _ source target _; do
    if [[ $target == /etc/hosts && $source =~ /pods/([0-9a-f-]{36})/etc-hosts$ ]]; then pod=${BASH_REMATCH[1]}; fi
  done </proc/self/mountinfo
}
