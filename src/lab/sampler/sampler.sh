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

# Each reading sets `value` to its part of the line. All of them together must stay below a thousandth of a core: a file
# is read in one piece, and its fields go to names, which is several times cheaper than an array of them.

read_cpu() {
  local _ us ni sy id io hi si st
  value=null
  # user nice system idle iowait irq softirq steal, in ticks
  read -r _ us ni sy id io hi si st _ </proc/stat && value="[$us,$ni,$sy,$id,$io,$hi,$si,$st]"
}

read_disk() {
  local _ rio rsect wio wsect ioms dio fio
  value=null
  [[ $device != - ]] && read -r rio _ rsect _ wio _ wsect _ _ ioms _ dio _ _ _ fio _ <"/sys/class/block/$device/stat" || return
  # Discards came with Linux 4.18, flushes with 5.5.
  value="{\"rio\":$rio,\"rsect\":$rsect,\"wio\":$wio,\"wsect\":$wsect,\"ioms\":$ioms${dio:+,\"dio\":$dio}${fio:+,\"fio\":$fio}}"
}

# Line by line the kernel would add the whole file up again for each line.
read_dirty() {
  local rest
  dirty=null wb=null
  mapfile -s "$dirty_line" -n 2 rest </proc/meminfo
  if [[ ${rest[0]-} != Dirty:* ]]; then
    find_dirty
    mapfile -s "$dirty_line" -n 2 rest </proc/meminfo
  fi
  # shellcheck disable=SC2086
  set -- ${rest[0]-} ${rest[1]-}
  if [[ ${1-} == Dirty: ]]; then dirty=$2; fi
  if [[ ${4-} == Writeback: ]]; then wb=$5; fi
}

# Writeback stands behind Dirty; where both are depends on the kernel.
find_dirty() {
  local key _
  dirty_line=0
  while read -r key _; do
    [[ $key != Dirty: ]] || return
    ((dirty_line += 1))
  done </proc/meminfo
}

read_net() {
  local name rx tx base
  value=''
  for name in "${interfaces[@]}"; do
    base=/sys/class/net/$name/statistics
    if read -r rx <"$base/rx_bytes" && read -r tx <"$base/tx_bytes"; then
      value+="${value:+,}\"$name\":[$rx,$tx]"
    fi
  done
  value="{$value}"
}

read_psi() {
  local cpu io mem _
  value=null
  read -r _ _ _ _ cpu </proc/pressure/cpu && read -r _ _ _ _ io </proc/pressure/io &&
    read -r _ _ _ _ mem </proc/pressure/memory || return
  value="{\"cpu\":${cpu#total=},\"io\":${io#total=},\"mem\":${mem#total=}}"
}

# [utime, stime, starttime] in ticks. A pid whose start time is not the one in its file, or not the first one seen, is
# somebody else's by now.
read_process() {
  local pid=$2 start='' name state ut stime born
  value=null
  if [[ $2 == /* ]]; then read -r pid start _ <"$2" || return; fi
  read -r _ name state _ _ _ _ _ _ _ _ _ _ ut stime _ _ _ _ _ _ born _ <"/proc/$pid/stat" || return
  # Another name may hold spaces and parentheses.
  if [[ $name != '(java)' || $state != [A-Za-z] ]]; then read_named "$pid" || return; fi
  start=${start:-${first_start[$1]:=$born}}
  if [[ $born == "$start" && $state != [ZXx] ]]; then value="[$ut,$stime,$born]"; fi
}

# The same of a process with any name: fields are certain after the last ") " only.
read_named() {
  local line
  read -r line <"/proc/$1/stat" || return
  # shellcheck disable=SC2086
  set -- ${line##*) }
  state=$1 ut=${12} stime=${13} born=${20}
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
  done <"$cgroup"
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
  local w0=$EPOCHREALTIME w1 u0 u1 cpu disk net psi procs
  read -r u0 _ </proc/uptime
  read_cpu; cpu=$value
  read_disk; disk=$value
  read_dirty
  read_net; net=$value
  read_psi; psi=$value
  read_processes; procs=$value
  read_throttling
  w1=$EPOCHREALTIME
  # What the reading took, added: in its steps of 10 ms the uptime would mostly say the same.
  u1=$((10#${u0/./} + (${w1/./} - ${w0/./}) / 10000))
  u1=${u1::-2}.${u1: -2}
  # One write a line, so that an end in the middle never tears one.
  printf '{"w0":%s,"w1":%s,"u0":%s,"u1":%s,"cpu":%s,"disk":%s,"dirty":%s,"wb":%s,"net":%s,"psi":%s,"proc":%s,"cg":%s}\n' \
    "$w0" "$w1" "$u0" "$u1" "$cpu" "$disk" "$dirty" "$wb" "$net" "$psi" "$procs" "$value"
}

wanted() {
  local _ ppid
  [[ ! -e stop ]] || return 1
  # Whether the runner lives is looked at every fifth time.
  ((++looks % 5 == 0)) || return 0
  # Our own name is `bash`: no spaces in it.
  read -r _ _ _ ppid _ </proc/self/stat
  [[ $ppid == "$parent" ]]
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
  device=$1 parent=$PPID interfaces=() names=() dirty_line=0 looks=0
  declare -gA where=() first_start=()
  if [[ $2 != - ]]; then IFS=, read -ra interfaces <<<"$2"; fi
  for target in "${@:3}"; do names+=("${target%%=*}"); where[${target%%=*}]=${target#*=}; done
  find_cgroup
  header
  next=${EPOCHREALTIME/./}
  while wanted; do
    # What is not there is null: nobody reads a complaint about it once a second.
    sample 2>/dev/null
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
