#!/bin/bash
# kafka-run-class.sh [-name NAME] [-loggc] CLASS [ARGUMENT...]  Java with Kafka's jars and what the environment sets.
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name='' gc=''
while :; do
  case ${1:-} in
    -name) name=$2; shift 2 ;;
    -loggc) gc=yes; shift ;;
    *) break ;;
  esac
done
if (($# == 0)); then
  echo "USAGE: $0 [-name servicename] [-loggc] classname [opts]"
  exit 1
fi

LOG_DIR=${LOG_DIR:-$home/logs}
[ -d "$LOG_DIR" ] || mkdir -p "$LOG_DIR"
: "${KAFKA_HEAP_OPTS:=-Xmx256M}"
: "${KAFKA_JVM_PERFORMANCE_OPTS:=-server -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent -Djava.awt.headless=true}"
: "${KAFKA_JMX_OPTS:=-Dcom.sun.management.jmxremote -Dcom.sun.management.jmxremote.authenticate=false -Dcom.sun.management.jmxremote.ssl=false}"
: "${KAFKA_LOG4J_OPTS:=-Dlog4j2.configurationFile=$home/config/tools-log4j2.yaml}"
[ -z "${JMX_PORT:-}" ] || KAFKA_JMX_OPTS+=" -Dcom.sun.management.jmxremote.port=$JMX_PORT"
[ -z "$gc" ] || : "${KAFKA_GC_LOG_OPTS:=-Xlog:gc*:file=$LOG_DIR/$name-gc.log:time,tags:filecount=10,filesize=100M}"
java=java
[ -z "${JAVA_HOME:-}" ] || java=$JAVA_HOME/bin/java

# shellcheck disable=SC2086 — each of these holds several words
exec "$java" $KAFKA_HEAP_OPTS $KAFKA_JVM_PERFORMANCE_OPTS ${KAFKA_GC_LOG_OPTS:-} $KAFKA_JMX_OPTS \
  -Dkafka.logs.dir="$LOG_DIR" $KAFKA_LOG4J_OPTS -cp "${CLASSPATH:+$CLASSPATH:}$home/libs/*" ${KAFKA_OPTS:-} "$@"
