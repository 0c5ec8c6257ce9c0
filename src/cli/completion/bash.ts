import { type Node, quoted } from './tree.ts';

/** Completion for bash ≥ 4. Static: a Tab starts no process beside a measurement. Pure. */
export function bashCompletion(nodes: readonly Node[]): string {
  const deeper = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const cases = nodes.map(({ path, words, options, files }) => {
    const names = words.map(({ name }) => name).join(' ');
    const flags = options.flatMap(({ long, short }) => [long, ...(short === null ? [] : [short])]).join(' ');
    return `    ${quoted(path)}) words=${quoted(names)} flags=${quoted(flags)} files=${files ? 1 : 0} ;;`;
  });
  const valued = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ long, short }) => [`${path} ${long}`, ...(short === null ? [] : [`${path} ${short}`])])
      .map(quoted),
  );
  return `# Completion of assay for bash. Load it with: source <(assay completion bash)
_assay() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at= words= flags= files=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
    ${deeper.join(' | ')}) at+="/\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
    ${valued.join(' | ')}) compopt -o default; return ;;
  esac
  case "$at" in
${cases.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    if ((files)); then compopt -o default; fi
  fi
}
complete -F _assay assay
`;
}
