# Runs tools of Kafka in this pod and prints how each ended. Runs under bash; may run twice.
#
#   bash -c SCRIPT tools BIN FOLDER LIMIT-S [WHEN COUNT WORD…]…
#
# BIN       holds the tools, each as NAME.sh
# FOLDER    holds log4j2.properties and admin.properties; the class-data archive tools.jsa is used where it is there
# WHEN      `after` all before it have ended, or `beside` them
# COUNT     words of this call: NAME and its arguments
#
# For each call, in their order: `tool CODE STDOUT-BYTES STDERR-BYTES`, a line end, and the two streams.
bin=$1 folder=$2 limit=$3
shift 3
export LC_ALL=C KAFKA_OPTS= KAFKA_JMX_OPTS=' ' KAFKA_GC_LOG_OPTS=' '
export KAFKA_HEAP_OPTS='-Xmx256m'
# Short-lived: no compiler threads, no second collector. Nothing of the JVM goes to stdout.
flags='-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.language=en -Duser.country=US -Xlog:disable -Xlog:all=error:stderr'
if [[ -n ${ASSAY_ARCHIVE-} ]]; then flags+=" -XX:ArchiveClassesAtExit=$ASSAY_ARCHIVE"
elif [[ -e $folder/tools.jsa ]]; then flags+=" -XX:SharedArchiveFile=$folder/tools.jsa -Xshare:auto"; fi
export KAFKA_JVM_PERFORMANCE_OPTS=$flags
export KAFKA_LOG4J_OPTS="-Dlog4j2.configurationFile=file:$folder/log4j2.properties"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

run() {
  local code
  timeout -s KILL "$limit" "$bin/$2.sh" "${@:3}" >"$out/$1.stdout" 2>"$out/$1.stderr" </dev/null
  code=$?
  echo "$code" >"$out/$1.code"
}

n=0
while (($#)); do
  if [[ $1 == after ]]; then wait; fi
  run "$n" "${@:3:$2}" &
  shift $(($2 + 2))
  ((n++))
done
wait
for ((i = 0; i < n; i++)); do
  read -r code <"$out/$i.code"
  err=$(head -c 65536 "$out/$i.stderr" | wc -c)
  echo "tool $code $(($(wc -c <"$out/$i.stdout"))) $((err))"
  cat "$out/$i.stdout"
  head -c 65536 "$out/$i.stderr"
done
