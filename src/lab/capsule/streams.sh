# shellcheck shell=bash
# What is kept and what is counted of the two streams of a capsule. Sourced by capsule.sh.

# Keeps the head of one stream and counts all of it: "NAME kept-bytes cut-bytes lines counted" goes to res_fd.
# It then lingers, so that the runner's own clock of its children shows the command alone.
stream() {
  trap '' PIPE XFSZ
  trap - TERM USR1
  local report
  local -A n=([total]=0 [kept]=0 [lines]=0 [counted]=0)
  : >"$2"
  report=$(
    exec 3>&1
    if [[ $1 == err ]]; then
      tee >(count total wc -c) >(count lines grep -ac '') >(count counted grep -acE -e "$l_countStderr")
    else tee >(count total wc -c); fi | if (($4)); then stamp_lines "$2" "$3"; else keep_bytes "$2" "$3"; fi
  )
  # shellcheck disable=SC2086
  set -- "$1" "$2" $report
  local name=$1 size
  size=$(wc -c <"$2")
  shift 2
  while (($#)); do n[$1]=$2; shift 2; done
  [[ -n $l_countStderr ]] || n[counted]=0
  printf '%s\n' "$name $size $((n[total] - n[kept])) ${n[lines]} ${n[counted]}" >&"$res_fd"
  nap 60
}

count() { printf '%s %s\n' "$1" "$("${@:2}")" >&3; }

# The kernel's own file size limit cuts exactly at a KiB; cat passes on at once what comes.
keep_bytes() {
  (ulimit -f $((($2 + 1023) / 1024)); exec cat >"$1" 2>/dev/null)
  cat >/dev/null
  printf 'kept %s\n' "$(wc -c <"$1")" >&3
}

# Each line as "<wall seconds> <uptime seconds> text". Stops for good at the cap or when the disk is full: a gap in
# the middle would go unseen. A line is taken in pieces, so that one without an end cannot eat the memory.
stamp_lines() {
  local line rc up piece end size=0 kept=0 fresh=1
  exec 4>>"$1"
  while :; do
    IFS= read -rn 65536 line
    rc=$?
    if ((rc)) && [[ -z $line ]]; then break; fi
    piece='' end=$'\n'
    if ((fresh)); then piece="$EPOCHREALTIME "; read -r up _ </proc/uptime; piece+="$up "; fi
    if ((rc || ${#line} == 65536)); then end=''; fi
    piece+=$line$end
    if ((size + ${#piece} > $2)) || ! printf %s "$piece" 2>/dev/null >&4; then break; fi
    ((size += ${#piece}, kept += ${#line} + ${#end}, fresh = ${#end}))
  done
  cat >/dev/null
  printf 'kept %s\n' "$kept" >&3
}
