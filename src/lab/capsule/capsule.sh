#!/usr/bin/env bash
# The capsule: runs one command in a folder so that what happened can be read whoever lives or dies (design §4).
#
#   capsule.sh run ROOT NAME TOKEN            the runner; detached by the transport, reads NAME/launch.TOKEN
#   capsule.sh poll ROOT NAME OUT ERR MAX     state and new bytes of the streams
#   capsule.sh kill|remove ROOT NAME
#   capsule.sh list ROOT PREFIX | read ROOT NAME FILE OFFSET MAX | hash PATH | identity
#
# Files of a capsule: launch (NUL-ended fields), claim (pid start boot token), child (pid start), stdout, stderr,
# exit (key=value, written last), runner.log (the shell's own complaints).
# Every answer ends with a line `assay-frame <sha256 of all before it>` (a complaint with `assay-error …`): a
# transport may cut it and still say 0.
# Needs bash >= 5 and GNU or busybox tools. All files are read before anything runs (see the last line), so an update
# of the checkout cannot change a runner that lives.
set -u
export LC_ALL=C
here=$(dirname "${BASH_SOURCE[0]}")
if ((BASH_VERSINFO[0] < 5)); then
  echo "assay-needs-bash-5 $BASH_VERSION"
  exit 1
fi
# shellcheck source=processes.sh
source "$here/processes.sh"
# shellcheck source=streams.sh
source "$here/streams.sh"
# shellcheck source=runner.sh
source "$here/runner.sh"

# Ends a verb: `CODE text` is its whole answer, marked by its trailer.
fail() { printf '%s %s' "$1" "$2"; exit 9; }

# Sets state, c_* (claim) and k_* (the command). Exit is looked at again after death was seen, for the runner may
# have written it between the two looks.
read_state() {
  state=absent c_pid=0 c_start=0 c_boot='' c_token='' k_pid=0 k_start=0
  { read -r c_pid c_start c_boot c_token <"$dir/claim"; } 2>/dev/null || return 0
  { read -r k_pid k_start _ <"$dir/child"; } 2>/dev/null
  if [[ -e $dir/exit ]]; then state=exited
  elif [[ $c_boot == "$boot" ]] && alive "$c_pid" "$c_start"; then state=running
  elif [[ -e $dir/exit ]]; then state=exited
  else state=lost; fi
}

# Kills what lives of the capsule. Pids of another boot say nothing in this one, and nothing of it can live.
make_sure_dead() {
  [[ $c_boot == "$boot" ]] || return 0
  destroy 0 || fail alive "Processes of the capsule $1 do not die: ${found[*]}."
}

size_of() { if [[ -e $1 ]]; then wc -c <"$1"; else echo 0; fi; }

# "lost" is said only when nothing of it lives any more.
poll() {
  dir=$1/$2
  local out=$3 err=$4 max=$5 out_new err_new one
  read_state
  if [[ $state == lost ]]; then make_sure_dead "$2"; fi
  printf 'state %s\n' "$state"
  if [[ -n $c_boot ]]; then printf 'claim %s %s %s\n' "$c_pid" "$c_start" "$c_boot"; fi
  if ((k_pid)); then printf 'child %s %s\n' "$k_pid" "$k_start"; fi
  for one in "$dir"/refused.*; do
    if [[ -e $one ]]; then printf 'refused %s\n' "${one##*/refused.}"; fi
  done
  if [[ $state == exited ]]; then
    while read -r one; do printf 'exit %s\n' "$one"; done <"$dir/exit"
  fi
  out_new=$(($(size_of "$dir/stdout") - out)) err_new=$(($(size_of "$dir/stderr") - err))
  ((out_new = out_new < 0 ? 0 : out_new > max ? max : out_new, err_new = err_new < 0 ? 0 : err_new > max ? max : err_new))
  printf 'stdout %s\nstderr %s\n\n' "$out_new" "$err_new"
  if ((out_new)); then tail -c "+$((out + 1))" "$dir/stdout" | head -c "$out_new"; fi
  if ((err_new)); then tail -c "+$((err + 1))" "$dir/stderr" | head -c "$err_new"; fi
}

# Asks the runner, which ends the command's group and writes its record; what does not answer in 10 s is killed.
kill_capsule() {
  dir=$1/$2
  local i
  read_state
  if [[ $state == absent ]]; then forestall && read_state; fi
  if [[ $c_boot == "$boot" ]] && alive "$c_pid" "$c_start"; then
    kill -TERM "$c_pid" 2>/dev/null
    for ((i = 0; i < 200; i++)); do alive "$c_pid" "$c_start" || break; nap 0.05; done
  fi
  if [[ $state != absent ]]; then make_sure_dead "$2"; fi
  read_state
  printf 'state %s\n' "$state"
}

# A runner may be on its way: claiming in its place keeps it from starting. Without a launch file none can be.
forestall() {
  local file token=forestalled.$$
  for file in "$dir"/launch.*; do [[ -e $file ]] && break; done
  [[ -e $file ]] || return 1
  printf '0 0 %s %s\n' "$boot" "$token" >"$dir/claim.$token" && ln "$dir/claim.$token" "$dir/claim" 2>/dev/null
  rm -f "$dir/claim.$token" "$dir"/launch.*
}

remove_capsule() {
  dir=$1/$2
  local i parent trash=$1/.trash.$$.$RANDOM
  [[ -d $dir ]] || return 0
  read_state
  # A runner lives some milliseconds longer than its record says.
  for ((i = 0; i < 40; i++)); do
    [[ $state == exited ]] && alive "$c_pid" "$c_start" || break
    nap 0.05
  done
  if [[ $c_boot == "$boot" ]] && alive "$c_pid" "$c_start"; then fail alive "The capsule $2 is running (pid $c_pid): kill it first."; fi
  if [[ $state == lost ]]; then make_sure_dead "$2"; fi
  if [[ -n $(cd "$dir" && find . -mindepth 2 -name claim) ]]; then fail nested "There are capsules below $2: remove them first."; fi
  # Renamed first, so that nobody sees half a capsule.
  mv "$dir" "$trash" && rm -rf "$trash"
  parent=${dir%/*}
  while [[ $parent == "$1"/* ]] && rmdir "$parent" 2>/dev/null; do parent=${parent%/*}; done
}

list() {
  [[ -d $1/$2 ]] || return 0
  local file
  (cd "$1" && find "./$2" -type f \( -name claim -o -name 'launch.*' \)) | while IFS= read -r file; do
    file=${file%/*} file=${file#./}
    [[ $file == .trash.* ]] || printf '%s\n' "${file#/}"
  done
}

read_file() {
  [[ -f $1/$2/$3 ]] || fail no-file "The capsule $2 has no file $3."
  tail -c "+$(($4 + 1))" "$1/$2/$3" | head -c "$5"
}

hash_file() { if [[ -f $1 ]]; then sha256sum <"$1"; fi; }

# Runs a verb; its answer passes through unchanged and is followed by its hash. The tool that hashes is waited for: left
# alone it becomes a zombie under a first process that reaps nothing, one at every call.
framed() {
  local word=assay-frame hash
  { hash=$({ "$@" | { tee >(sha256sum >&4) >&3; wait $!; }; ((PIPESTATUS[0] != 9)) || echo failed >&4; } 4>&1); } 3>&1
  if [[ $hash == *failed* ]]; then word=assay-error hash=${hash/failed/}; fi
  # shellcheck disable=SC2086
  set -- $hash
  printf '%s %s\n' "$word" "$1"
}

main() {
  local verb=$1
  shift
  case $verb in
    run) run "$@" ;;
    poll) framed poll "$@" ;;
    kill) framed kill_capsule "$@" ;;
    remove) framed remove_capsule "$@" ;;
    list) framed list "$@" ;;
    read) framed read_file "$@" ;;
    hash) framed hash_file "$@" ;;
    identity) framed identity ;;
    *) fail invalid "There is no verb $verb." ;;
  esac
}

main "$@"; exit
