#!/bin/bash
# kafka-server-start.sh server.properties [--override property=value]...
here=$(dirname "$0")
if (($# == 0)); then
  echo "USAGE: $0 server.properties [--override property=value]*"
  exit 1
fi
: "${KAFKA_LOG4J_OPTS:=-Dlog4j2.configurationFile=$here/../config/log4j2.yaml}"
: "${KAFKA_HEAP_OPTS:=-Xmx1G -Xms1G}"
export KAFKA_LOG4J_OPTS KAFKA_HEAP_OPTS
# shellcheck disable=SC2086 — several words
exec "$here/kafka-run-class.sh" ${EXTRA_ARGS:--name kafkaServer -loggc} kafka.Kafka "$@"
