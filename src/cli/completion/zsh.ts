import { type Node, quoted } from './tree.ts';

/** Completion for zsh, with descriptions. Static, as the one for bash. Pure. */
export function zshCompletion(nodes: readonly Node[]): string {
  const deeper = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const cases = nodes.map(({ path, words, options, files }) => {
    const described = words.map(({ name, description }) => entry(name, description)).join(' ');
    const flags = options
      .flatMap(({ long, short, description }) =>
        [long, ...(short === null ? [] : [short])].map((flag) => entry(flag, description)),
      )
      .join(' ');
    return `    ${quoted(path)}) next=(${described}); flags=(${flags}); files=${files ? 1 : 0} ;;`;
  });
  return `#compdef assay
# Completion of assay for zsh. Load it with: source <(assay completion zsh), after compinit.
_assay() {
  local at= i files=0
  local -a next flags
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
    ${deeper.join(' | ')}) at+="/\${words[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option flags
  else
    (( $#next )) && _describe command next
    (( files )) && _files
  fi
}
compdef _assay assay
`;
}

function entry(name: string, description: string): string {
  return quoted(`${name.replaceAll(':', String.raw`\:`)}:${description}`);
}
