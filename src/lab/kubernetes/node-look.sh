# What a pod shows of its node and of its own limits. Runs under bash, needs what busybox has. One `NAME VALUE` a line; what
# the kernel does not tell is left out. /proc/meminfo and /proc/sys are the node's, the cgroup is the pod's.
#
#   bash -c SCRIPT node-look
fact() { if [[ -n ${2-} ]]; then printf '%s %s\n' "$1" "$2"; fi; }
of_file() { local line; { read -r line <"$2"; } 2>/dev/null && fact "$1" "$line"; }

fact kernel "$(uname -r)"
fact architecture "$(uname -m)"
for name in vm.dirty_ratio vm.dirty_background_ratio vm.dirty_bytes vm.dirty_background_bytes vm.dirty_expire_centisecs \
  vm.dirty_writeback_centisecs vm.swappiness vm.max_map_count net.core.rmem_max net.core.wmem_max; do
  of_file "$name" "/proc/sys/${name//.//}"
done
while read -r key value _; do if [[ $key == MemTotal: ]]; then fact memoryKiB "$value"; fi; done </proc/meminfo
n=0
while IFS=: read -r key value; do
  case $key in
    processor*) ((n++)) ;;
    'model name'*) model=${value# } ;;
  esac
done </proc/cpuinfo
fact cores "$n"
fact cpu "${model-}"
# limits of the container's first process, the broker's own
while read -r line; do
  case $line in
    'Max open files'*) set -- $line; fact openFiles "$4" ;;
  esac
done </proc/1/limits
of_file cpuMax /sys/fs/cgroup/cpu.max
of_file memoryMax /sys/fs/cgroup/memory.max
if [[ -r /sys/fs/cgroup/cgroup.controllers ]]; then fact cgroup v2; else fact cgroup v1; fi
while IFS='=' read -r key value; do if [[ $key == PRETTY_NAME ]]; then fact imageOs "${value//\"/}"; fi; done 2>/dev/null </etc/os-release
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
fact java "$("$java" -XshowSettings:none -version 2>&1 | while read -r line; do
  if [[ $line == *'(build '* ]]; then line=${line#*(build }; echo "${line%%[,)]*}"; break; fi
done)"
for file in /opt/kafka/libs/kafka-clients-*.jar; do
  name=${file##*/kafka-clients-}
  if [[ -e $file && $name != *-* ]]; then fact kafka "${name%.jar}"; fi
done
for one in /sys/class/net/*; do
  if [[ -e $one && ${one##*/} != lo ]]; then fact interface "${one##*/}"; fi
done
# the broker's JVM is the container's first process, unless something stands before it
for file in /proc/[0-9]*/cmdline; do
  mapfile -d '' -t words 2>/dev/null <"$file"
  for word in "${words[@]}"; do
    [[ $word == kafka.Kafka ]] || continue
    pid=${file#/proc/}
    fact broker "${pid%/*}"
    for word in "${words[@]}"; do if [[ $word == -X* ]]; then fact jvm "$word"; fi; done
    break
  done
done
