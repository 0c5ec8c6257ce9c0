#!/usr/bin/env bash
# The sampler: one line of JSON a second about this machine and some of its processes (design §6). Runs as a capsule.
#
#   sampler.sh DEVICE INTERFACES [NAME=WHERE …]
#
# DEVICE      a name in /sys/class/block (`vda`), or `-`
# INTERFACES  names in /sys/class/net between commas, or `-`
# WHERE       a capsule's `child` file (may come later, may change), or a pid
#
# Bash keeps the schedule and the clocks, awk reads: a file costs awk a third of what it costs bash. Nothing is forked per
# sample, and what the kernel does not tell is null, never 0. Ends when a file `stop` appears in its folder, or when its
# parent (the runner) is gone. Needs bash >= 5 and any awk.
set -u
export LC_ALL=C
if ((BASH_VERSINFO[0] < 5)); then echo "The sampler needs bash 5 or later; this host has $BASH_VERSION." >&2; exit 2; fi
if ! type -P awk >/dev/null; then echo 'The sampler needs awk; this host has none.' >&2; exit 2; fi

# Waiting on a pipe that nobody writes to is a sleep without a fork.
exec {nap_fd}<> <(:)

# Gets two lines a sample: the time, upon which it reads everything and answers with an empty line on stderr, then the time
# of that answer, upon which it prints the sample.
reader='
function first(file,   line) {
  line = ""
  if ((getline line < file) <= 0) line = ""
  close(file)
  return line
}

# user nice system idle iowait irq softirq steal, in ticks
function cpu_part(   f) {
  if (split(first("/proc/stat"), f, " ") < 9) return "null"
  return "[" f[2] "," f[3] "," f[4] "," f[5] "," f[6] "," f[7] "," f[8] "," f[9] "]"
}

# Discards came with Linux 4.18, flushes with 5.5.
function disk_part(   f, n, more) {
  if (device == "-") return "null"
  n = split(first("/sys/class/block/" device "/stat"), f, " ")
  if (n < 11) return "null"
  more = (n > 11 ? ",\"dio\":" f[12] : "") (n > 15 ? ",\"fio\":" f[16] : "")
  return "{\"rio\":" f[1] ",\"rsect\":" f[3] ",\"wio\":" f[5] ",\"wsect\":" f[7] ",\"ioms\":" f[10] more "}"
}

# Writeback stands behind Dirty; where both are depends on the kernel.
function read_dirty(   line, f) {
  dirty = wb = "null"
  while ((getline line < "/proc/meminfo") > 0) {
    if (substr(line, 1, 6) == "Dirty:") { split(line, f, " "); dirty = f[2] }
    else if (substr(line, 1, 10) == "Writeback:") { split(line, f, " "); wb = f[2]; break }
  }
  close("/proc/meminfo")
}

function net_part(   i, base, rx, tx, all) {
  all = ""
  for (i = 1; i <= interfaces; i++) {
    base = "/sys/class/net/" interface[i] "/statistics/"
    rx = first(base "rx_bytes")
    tx = first(base "tx_bytes")
    if (rx != "" && tx != "") all = all (all == "" ? "" : ",") "\"" interface[i] "\":[" rx "," tx "]"
  }
  return "{" all "}"
}

# The line `some`: its last field is total=…, in µs.
function pressure(of,   line) {
  line = first("/proc/pressure/" of)
  return sub(/.*total=/, "", line) ? line : ""
}

function psi_part(   cpu, io, mem) {
  cpu = pressure("cpu"); io = pressure("io"); mem = pressure("memory")
  return cpu == "" || io == "" || mem == "" ? "null" : "{\"cpu\":" cpu ",\"io\":" io ",\"mem\":" mem "}"
}

# [utime, stime, starttime] in ticks. A pid whose start time is not the one in its file, or not the first one seen, is
# somebody else by now. A name may hold spaces and parentheses: fields are certain after the last ") " only.
function process_part(i,   pid, start, line, f) {
  pid = where[i]
  start = ""
  if (substr(pid, 1, 1) == "/") {
    if (split(first(pid), f, " ") < 1) return "null"
    pid = f[1]
    start = f[2]
  }
  line = first("/proc/" pid "/stat")
  if (!sub(/.*\) /, "", line) || split(line, f, " ") < 20) return "null"
  if (start == "") {
    if (!(i in born)) born[i] = f[20]
    start = born[i]
  }
  return start == f[20] && f[1] !~ /[ZXx]/ ? "[" f[12] "," f[13] "," f[20] "]" : "null"
}

function processes_part(   i, all) {
  all = ""
  for (i = 1; i <= watched; i++) all = all (i == 1 ? "" : ",") "\"" name[i] "\":" process_part(i)
  return "{" all "}"
}

function throttling_part(   line, f, found) {
  if (cgroup == "") return "null"
  found = "null"
  while ((getline line < cgroup) > 0)
    if (split(line, f, " ") == 2 && f[1] == "throttled_usec") { found = "{\"throttledUsec\":" f[2] "}"; break }
  close(cgroup)
  return found
}

# Arguments are no files: they are taken, and what is to be read is put in their place.
BEGIN {
  device = ARGV[1]
  interfaces = ARGV[2] == "-" ? 0 : split(ARGV[2], interface, ",")
  cgroup = ARGV[3]
  watched = ARGC - 4
  for (i = 1; i <= watched; i++) {
    at = index(ARGV[i + 3], "=")
    name[i] = substr(ARGV[i + 3], 1, at - 1)
    where[i] = substr(ARGV[i + 3], at + 1)
  }
  ARGV[1] = "-"
  ARGC = 2
}

NR % 2 == 1 {
  w0 = $0
  split(first("/proc/uptime"), up, " ")
  all = ",\"cpu\":" cpu_part() ",\"disk\":" disk_part()
  read_dirty()
  all = all ",\"dirty\":" dirty ",\"wb\":" wb ",\"net\":" net_part() ",\"psi\":" psi_part()
  all = all ",\"proc\":" processes_part() ",\"cg\":" throttling_part()
  print "" > "/dev/stderr"
  fflush("/dev/stderr")
  next
}

# What the reading took, added to the uptime: in its steps of 10 ms it would mostly say the same. One write a line, so that
# an end in the middle never tears one.
{
  printf "{\"w0\":%s,\"w1\":%s,\"u0\":%s,\"u1\":%.2f%s}\n", w0, $0, up[1], int(up[1] * 100 + ($0 - w0) * 100 + 0.0001) / 100, all
  fflush()
}
'

wanted() {
  local _ ppid
  [[ ! -e stop ]] || return 1
  # Whether the runner lives is looked at every fifth time.
  ((++looks % 5 == 0)) || return 0
  # Our own name is `bash`: no spaces in it.
  read -r _ _ _ ppid _ </proc/self/stat
  [[ $ppid == "$parent" ]]
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

header() {
  local boot hz ncpu=0 key _ name=null
  read -r boot </proc/sys/kernel/random/boot_id
  hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
  while read -r key _; do if [[ $key == cpu[0-9]* ]]; then ((ncpu++)); fi; done </proc/stat
  if [[ $device != - ]]; then name="\"$device\""; fi
  printf '{"sampler":1,"boot":"%s","hz":%s,"ncpu":%s,"device":%s}\n' "$boot" "$hz" "$ncpu" "$name"
}

# `ask_fd` and `answer_fd`: our ends of its pipes.
start_reader() {
  local version interactive=()
  # mawk alone waits for a full buffer unless it is told not to.
  read -r version < <(awk -W version 2>&1 </dev/null)
  if [[ ${version-} == mawk* ]]; then interactive=(-W interactive); fi
  exec {out_fd}>&1
  coproc READER { exec awk "${interactive[@]}" "$reader" "$@" 2>&1 >&"$out_fd" {out_fd}>&-; }
  exec {ask_fd}>&"${READER[1]}" {answer_fd}<&"${READER[0]}" {out_fd}>&-
}

# An answer that is not empty is awk's complaint about itself.
sample() {
  local answer
  echo "$EPOCHREALTIME" >&"$ask_fd" || return
  read -r -u "$answer_fd" answer || { echo "awk ended." >&2; return 1; }
  if [[ -n $answer ]]; then echo "$answer" >&2; return 1; fi
  echo "$EPOCHREALTIME" >&"$ask_fd"
}

main() {
  local next now wait_s
  device=$1 parent=$PPID looks=0
  find_cgroup
  header
  start_reader "$device" "$2" "$cgroup" "${@:3}"
  next=${EPOCHREALTIME/./}
  while wanted; do
    sample || return
    # The schedule is absolute: what a sample takes does not add up. Seconds that were missed are not made up for.
    now=${EPOCHREALTIME/./}
    # A clock that was set far away starts a new schedule.
    if ((next - now > 1000000 || now - next > 60000000)); then next=$now; fi
    while ((next <= now)); do ((next += 1000000)); done
    printf -v wait_s '%d.%06d' $(((next - now) / 1000000)) $(((next - now) % 1000000))
    read -rt "$wait_s" -u "$nap_fd" _
  done
  return 0
}

main "$@"; exit
