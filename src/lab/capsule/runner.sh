# shellcheck shell=bash
# The runner: claims the capsule, runs its command, keeps its streams, writes the exit record. Sourced by capsule.sh,
# after processes.sh and streams.sh.

# A test can stop the runner here and kill it between any two steps.
step() { if [[ ${ASSAY_CAPSULE_STOP_AT-} == "$1" ]]; then kill -STOP "$$"; fi; }

run() {
  dir=$1/$2 c_token=$3
  own_session "$@"
  exec </dev/null >/dev/null 2>>"$dir/runner.log" || exit 1
  step started
  load_launch || exit 1
  by=itself woken=0 k_pid=0 k_start=0
  trap 'end_by killed' TERM
  trap 'end_by deadline' USR1
  [[ $(identity) == "$l_identity" ]] || refuse identity
  printf '' | grep -qE -e "$l_countStderr"
  ((PIPESTATUS[1] < 2)) || refuse pattern
  reserve || refuse disk-full
  step reserved
  claim
  step claimed
  open_streams
  step streams
  fork_child
  step forked
  write_child
  step child-written
  release
  step released
  await_child
  step ended
  drain
  step drained
  write_exit
}

# Re-executes itself (same pid) until it leads its own session and carries the capsule's token, by which even a
# stray that changed its session is found.
own_session() {
  local -a how=(env "ASSAY_CAPSULE=$c_token" "ASSAY_CAPSULE_RUNNER=$$ $c_token")
  read_stat $$
  if [[ ${ASSAY_CAPSULE_RUNNER-} == "$$ $c_token" ]]; then c_pid=$$ c_start=$st_start; return; fi
  if ((st_sid != $$)) && command -v setsid >/dev/null; then how+=(setsid); fi
  exec "${how[@]}" "$BASH" "$0" run "$@" {nap_fd}>&-
}

load_launch() {
  local field value
  local -a fields
  l_env=() l_argv=() l_countStderr='' l_cpus='' l_cwd=$dir l_identity='' l_deadlineMs='' l_notBeforeMs=0 l_direct=0
  mapfile -d '' -t fields <"$dir/launch.$c_token" || return 1
  [[ ${fields[-1]-} == end= ]] || return 1
  for field in "${fields[@]}"; do
    value=${field#*=}
    case ${field%%=*} in
      env) l_env+=("$value") ;;
      argv) l_argv+=("$value") ;;
      countStderr | cpus | cwd | identity | deadlineMs | notBeforeMs | stdoutCap | stderrCap | stamp | direct)
        printf -v "l_${field%%=*}" %s "$value" ;;
    esac
  done
}

# The reason is in the name of an empty file: that can be written on a full disk too.
refuse() {
  : >"$dir/refused.$c_token.$1"
  drop_private
  exit 1
}

drop_private() { rm -f "$dir/launch.$c_token" "$dir/claim.$c_token" "$dir/child.$c_token" "$dir/exit.$c_token"; }

# Takes the space of all its records before it claims: a disk that fills up later cannot keep it from saying how it
# ended.
reserve() {
  printf '%-1023s\n' reserved | dd of="$dir/exit.$c_token" conv=fsync 2>/dev/null &&
    printf '%-63s\n' reserved | dd of="$dir/child.$c_token" conv=fsync 2>/dev/null &&
    printf '%s\n' "$c_pid $c_start $boot $c_token" | dd of="$dir/claim.$c_token" conv=fsync 2>/dev/null &&
    [[ -s $dir/exit.$c_token && -s $dir/child.$c_token && -s $dir/claim.$c_token ]]
}

# link(2) is atomic, fails if present and never shows an empty file. Losers leave no trace.
claim() {
  if ! ln "$dir/claim.$c_token" "$dir/claim" 2>/dev/null; then drop_private; exit 0; fi
  mv "$dir/launch.$c_token" "$dir/launch"
  rm -f "$dir/claim.$c_token"
}

open_streams() {
  exec {go_fd}<> <(:) {res_fd}<> <(:) {cpu_fd}<> <(:)
  out_pid=0
  if ((l_direct)); then exec {out_fd}>>"$dir/stdout"
  else
    exec {out_fd}> >(stream out "$dir/stdout" "$l_stdoutCap" "$l_stamp")
    out_pid=$!
  fi
  exec {err_fd}> >(exec {out_fd}>&-; stream err "$dir/stderr" "$l_stderrCap" 0)
  err_pid=$!
}

# The child gets a process group of its own and waits for the word, so that its pid is on disk before it runs.
fork_child() {
  pin=() pinned=''
  if [[ -n $l_cpus ]]; then
    pinned=0
    if taskset -c "$l_cpus" true 2>/dev/null; then pinned=1 pin=(taskset -c "$l_cpus"); fi
  fi
  set -m
  (become_child) </dev/null >&"$out_fd" 2>&"$err_fd" &
  k_pid=$!
  set +m
  exec {out_fd}>&- {err_fd}>&-
  if read_stat "$k_pid"; then k_start=$st_start; fi
}

become_child() {
  local name
  local -a pass=(LC_ALL=C "ASSAY_CAPSULE=$c_token")
  trap - TERM USR1
  # Without this a child whose runner was killed before the word would wait for ever.
  until read -rt 1 -u "$go_fd" _; do
    read_stat "$BASHPID"
    ((st_ppid == $$)) || exit 125
  done
  # The worker's environment is not the load's: only these pass, then what the launch says.
  for name in PATH HOME USER LOGNAME TMPDIR TZ JAVA_HOME; do
    if [[ -n ${!name-} ]]; then pass+=("$name=${!name}"); fi
  done
  cd -- "$l_cwd" || exit 126
  if ((l_direct)); then ulimit -f $(((l_stdoutCap + 1023) / 1024)); fi
  exec {go_fd}>&- {res_fd}>&- {cpu_fd}>&- {out_fd}>&- {err_fd}>&- {nap_fd}>&-
  exec env -i "${pass[@]}" "${l_env[@]}" "${pin[@]}" "${l_argv[@]}"
}

write_child() {
  printf '%-63s\n' "$k_pid $k_start" | dd of="$dir/child.$c_token" conv=notrunc 2>/dev/null
  mv "$dir/child.$c_token" "$dir/child"
}

release() {
  local left wait_s
  while left=$((l_notBeforeMs - ${EPOCHREALTIME/./} / 1000)); ((left > 0)) && [[ $by == itself ]]; do
    ((left > 1000)) && left=1000
    printf -v wait_s '0.%03d' $((left - 1))
    ((left == 1000)) && wait_s=0.9
    nap "$wait_s"
  done
  children_cpu
  cpu_before=("${cpu[@]}")
  read -r up_start _ </proc/uptime
  wall_start=${EPOCHREALTIME/./}
  if [[ $by == itself ]]; then printf 'go\n' >&"$go_fd"; else end_child; fi
  watch_pid=0
  if [[ -n $l_deadlineMs ]]; then
    watchdog &
    watch_pid=$!
  fi
}

# Sleeps by the uptime clock (wall clocks step), then asks the runner to end the command.
watchdog() {
  trap - TERM USR1
  local up left wait_s end=$((${up_start/./} * 10 + l_deadlineMs))
  while alive $$ "$c_start"; do
    read -r up _ </proc/uptime
    left=$((end - ${up/./} * 10))
    if ((left <= 0)); then kill -USR1 $$; return; fi
    if ((left > 10000)); then left=10000; fi
    printf -v wait_s '%d.%03d' $((left / 1000)) $((left % 1000))
    nap "$wait_s"
  done
}

end_by() {
  woken=1
  [[ $by == itself ]] || return 0
  by=$1
  if ((k_pid && ${wall_start-0})); then end_child; fi
}

# TERM, then KILL after 2 s; in the background, because the runner has to wait for the child.
end_child() {
  (
    trap - TERM USR1
    kill -TERM -- "-$k_pid"
    for ((i = 0; i < 40; i++)); do alive "$k_pid" "$k_start" || exit; nap 0.05; done
    kill -KILL -- "-$k_pid"
  ) 2>/dev/null &
}

await_child() {
  # A trap interrupts wait; bash keeps the status, so asking again is safe.
  while :; do
    woken=0
    wait "$k_pid"
    code=$?
    ((woken)) || break
  done
  wall_end=${EPOCHREALTIME/./}
  read -r up_end _ </proc/uptime
  children_cpu
}

# Sets cpu=(user system) in ms of all children that were waited for, without a fork and without a file.
children_cpu() {
  local line part seconds
  times >&"$cpu_fd"
  read -ru "$cpu_fd" line
  read -ru "$cpu_fd" line
  cpu=()
  for part in $line; do
    part=${part%s}
    seconds=${part#*m}
    cpu+=($((${part%m*} * 60000 + 10#${seconds/./})))
  done
}

# What the command left behind ends now, and a stray that holds a pipe cannot hang the record for ever.
drain() {
  local runner_pgrp
  read_stat $$
  runner_pgrp=$st_pgrp
  out='' err=''
  if ((l_direct)); then out="$(wc -c <"$dir/stdout") 0 0 0"; fi
  find_members "$runner_pgrp"
  if ((${#found[@]})); then collect 2; destroy "$runner_pgrp"; fi
  collect 20
}

collect() {
  local line until=$((SECONDS + $1 + 1))
  while [[ -z $out || -z $err ]] && ((SECONDS < until)) && read -rt "$1" -u "$res_fd" line; do
    case $line in out*) out=${line#out } ;; err*) err=${line#err } ;; esac
  done
}

write_exit() {
  local text one
  # shellcheck disable=SC2086
  set -- ${out:-"$(wc -c <"$dir/stdout") 0 0 0"} ${err:-"$(wc -c <"$dir/stderr") 0 0 0"}
  printf -v text '%s\n' format=1 "code=$code" "by=$by" "startedAtMs=$((wall_start / 1000))" \
    "endedAtMs=$((wall_end / 1000))" "startUptimeMs=$((${up_start/./} * 10))" "endUptimeMs=$((${up_end/./} * 10))" \
    "userCpuMs=$((cpu[0] - cpu_before[0]))" "systemCpuMs=$((cpu[1] - cpu_before[1]))" "stdoutBytes=$1" \
    "stdoutCutBytes=$2" "stderrBytes=$5" "stderrCutBytes=$6" "stderrLines=$7" "stderrCounted=$8" "pinned=$pinned" end=
  printf '%-1023s\n' "$text" | dd of="$dir/exit.$c_token" conv=notrunc,fsync 2>/dev/null || exit 1
  step exit-written
  # Once the record stands nothing but the runner lives. Only what is still our child: a number may belong to somebody
  # else by now.
  for one in "$out_pid" "$err_pid" "$watch_pid"; do
    if read_stat "$one" && ((st_ppid == $$)); then kill -KILL "$one"; fi
  done
  mv "$dir/exit.$c_token" "$dir/exit"
  step exit-renamed
}
