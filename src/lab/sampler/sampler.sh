#!/usr/bin/env bash
# The sampler: one line of JSON a second about this machine and some of its processes (design §6). Runs as a capsule.
#
#   sampler.sh DEVICE INTERFACES [NAME=WHERE …]
#
# DEVICE      a name in /sys/class/block (`vda`), or `-`
# INTERFACES  names in /sys/class/net between commas, or `-`
# WHERE       a capsule's `child` file (may come later, may change), or a pid
#
# Nothing is forked per sample, and what the kernel does not tell is null, never 0. Ends when a file `stop` appears in
# its folder, or when its parent (the runner) is gone. Needs bash >= 5.
set -u
export LC_ALL=C
if ((BASH_VERSINFO[0] < 5)); then echo "The sampler needs bash 5 or later; this host has $BASH_VERSION." >&2; exit 2; fi

# Waiting on a pipe that nobody writes to is a sleep without a fork.
exec {nap_fd}<> <(:)

# Each reading sets `value` to its part of the line.

read_cpu() {
  local _ a
  value=null
  # user nice system idle iowait irq softirq steal, in ticks
  read -r _ a[0] a[1] a[2] a[3] a[4] a[5] a[6] a[7] _ </proc/stat && value="[${a[0]},${a[1]},${a[2]},${a[3]},${a[4]},${a[5]},${a[6]},${a[7]}]"
}

read_disk() {
  local a
  value=null
  [[ $device != - ]] || return
  { read -ra a <"/sys/class/block/$device/stat"; } 2>/dev/null || return
  value="{\"rio\":${a[0]},\"rsect\":${a[2]},\"wio\":${a[4]},\"wsect\":${a[6]},\"ioms\":${a[9]}"
  # Discards came with Linux 4.18, flushes with 5.5.
  if ((${#a[@]} > 11)); then value+=",\"dio\":${a[11]}"; fi
  if ((${#a[@]} > 15)); then value+=",\"fio\":${a[15]}"; fi
  value+='}'
}

read_dirty() {
  local key number _
  dirty=null wb=null
  while read -r key number _; do
    case $key in Dirty:) dirty=$number ;; Writeback:) wb=$number; break ;; esac
  done </proc/meminfo
}

read_net() {
  local name rx tx base
  value=''
  for name in "${interfaces[@]}"; do
    base=/sys/class/net/$name/statistics
    if { read -r rx <"$base/rx_bytes" && read -r tx <"$base/tx_bytes"; } 2>/dev/null; then
      value+="${value:+,}\"$name\":[$rx,$tx]"
    fi
  done
  value="{$value}"
}

read_psi() {
  local kind total part
  value=''
  for kind in cpu io memory; do
    { read -r _ _ _ _ total <"/proc/pressure/$kind"; } 2>/dev/null || { value=null; return; }
    part=${kind/memory/mem}
    value+="${value:+,}\"$part\":${total#total=}"
  done
  value="{$value}"
}

# [utime, stime, starttime] in ticks. A pid whose start time is not the one in its file, or not the first one seen, is
# somebody else's by now.
read_process() {
  local pid=$2 start='' line
  local -a st
  value=null
  if [[ $2 == /* ]]; then { read -r pid start _ <"$2"; } 2>/dev/null || return; fi
  { read -r line <"/proc/$pid/stat"; } 2>/dev/null || return
  # The command name may hold spaces and parentheses: fields start after the last ") ".
  # shellcheck disable=SC2206
  st=(${line##*) })
  start=${start:-${first_start[$1]:=${st[19]}}}
  if [[ ${st[19]} == "$start" && ${st[0]} != [ZXx] ]]; then value="[${st[11]},${st[12]},${st[19]}]"; fi
}

read_processes() {
  local name all=''
  for name in "${names[@]}"; do
    read_process "$name" "${where[$name]}"
    all+="${all:+,}\"$name\":$value"
  done
  value="{$all}"
}

read_throttling() {
  local key number
  value=null
  [[ -n $cgroup ]] || return
  while read -r key number; do
    if [[ $key == throttled_usec ]]; then value="{\"throttledUsec\":$number}"; break; fi
  done 2>/dev/null <"$cgroup"
}

# cpu.stat of our own cgroup, when it is v2 and has a CPU controller; empty otherwise: v1 is unknown.
find_cgroup() {
  local line base key _
  cgroup=''
  while read -r line; do
    [[ $line == 0::* ]] || continue
    for base in /sys/fs/cgroup /sys/fs/cgroup/unified; do
      [[ -r $base${line#0::}/cpu.stat ]] || continue
      while read -r key _; do
        if [[ $key == nr_throttled ]]; then cgroup=$base${line#0::}/cpu.stat; return; fi
      done <"$base${line#0::}/cpu.stat"
    done
  done </proc/self/cgroup
}

sample() {
  local w0=$EPOCHREALTIME u0 u1 cpu disk net psi procs
  read -r u0 _ </proc/uptime
  read_cpu; cpu=$value
  read_disk; disk=$value
  read_dirty
  read_net; net=$value
  read_psi; psi=$value
  read_processes; procs=$value
  read_throttling
  read -r u1 _ </proc/uptime
  # One write a line, so that an end in the middle never tears one.
  printf '{"w0":%s,"w1":%s,"u0":%s,"u1":%s,"cpu":%s,"disk":%s,"dirty":%s,"wb":%s,"net":%s,"psi":%s,"proc":%s,"cg":%s}\n' \
    "$w0" "$EPOCHREALTIME" "$u0" "$u1" "$cpu" "$disk" "$dirty" "$wb" "$net" "$psi" "$procs" "$value"
}

wanted() {
  local line
  local -a st
  [[ ! -e stop ]] || return 1
  read -r line </proc/self/stat
  # shellcheck disable=SC2206
  st=(${line##*) })
  [[ ${st[1]} == "$parent" ]]
}

header() {
  local boot hz ncpu=0 key _ name=null
  read -r boot </proc/sys/kernel/random/boot_id
  hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
  while read -r key _; do if [[ $key == cpu[0-9]* ]]; then ((ncpu++)); fi; done </proc/stat
  if [[ $device != - ]]; then name="\"$device\""; fi
  printf '{"sampler":1,"boot":"%s","hz":%s,"ncpu":%s,"device":%s}\n' "$boot" "$hz" "$ncpu" "$name"
}

main() {
  local next now wait_s target
  device=$1 parent=$PPID interfaces=() names=()
  declare -gA where=() first_start=()
  if [[ $2 != - ]]; then IFS=, read -ra interfaces <<<"$2"; fi
  for target in "${@:3}"; do names+=("${target%%=*}"); where[${target%%=*}]=${target#*=}; done
  find_cgroup
  header
  next=${EPOCHREALTIME/./}
  while wanted; do
    sample
    # The schedule is absolute: what a sample takes does not add up. Seconds that were missed are not made up for.
    now=${EPOCHREALTIME/./}
    # A clock that was set far away starts a new schedule.
    if ((next - now > 1000000 || now - next > 60000000)); then next=$now; fi
    while ((next <= now)); do ((next += 1000000)); done
    printf -v wait_s '%d.%06d' $(((next - now) / 1000000)) $(((next - now) % 1000000))
    read -rt "$wait_s" -u "$nap_fd" _
  done
}

main "$@"; exit 0
