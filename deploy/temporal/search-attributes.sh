#!/usr/bin/env bash
# search-attributes.sh [--cloud]   Makes Assay's search attributes in $TEMPORAL_NAMESPACE: with the Temporal CLI on a server of one's
# own, with tcld in Temporal Cloud. Those that are there already stay. Without them experiments run, and cannot be filtered by.
set -euo pipefail
namespace=${TEMPORAL_NAMESPACE:-default}
attributes=(
  AssayExperiment=Keyword
  AssayKind=Keyword
  AssayPhase=Keyword
  AssayProgress=Keyword
  AssayValidTrials=Int
  AssayVoidTrials=Int
  AssayVerdict=Keyword
  AssayScenario=Keyword
  AssayBlock=Int
)

case ${1:-} in
'')
  arguments=()
  for attribute in "${attributes[@]}"; do arguments+=(--name "${attribute%=*}" --type "${attribute#*=}"); done
  ${TEMPORAL:-temporal} operator search-attribute create --namespace "$namespace" "${arguments[@]}"
  ;;
--cloud)
  arguments=()
  for attribute in "${attributes[@]}"; do arguments+=(--search-attribute "$attribute"); done
  ${TCLD:-tcld} namespace search-attributes add --namespace "$namespace" "${arguments[@]}"
  ;;
*)
  echo 'usage: search-attributes.sh [--cloud]' >&2
  exit 2
  ;;
esac
