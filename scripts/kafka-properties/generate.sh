#!/usr/bin/env bash
# Writes src/spec/kafka-properties.generated.ts from the jars of one Kafka version (Java >= 17 and Maven needed).
set -euo pipefail
version=${1:-4.3.1}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -q -B -f "$here/pom.xml" -Dkafka.version="$version" -DincludeScope=runtime dependency:copy-dependencies -DoutputDirectory="$work/libs"
java -cp "$work/libs/*" "$here/KafkaProperties.java" "$version" >"$work/out.ts"
mv "$work/out.ts" "$here/../../src/spec/kafka-properties.generated.ts"
