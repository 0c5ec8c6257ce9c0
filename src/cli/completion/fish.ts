import type { Node } from './tree.ts';

/** Completion for fish, with descriptions. Static, as the one for bash. Pure. */
export function fishCompletion(nodes: readonly Node[]): string {
  const deeper = nodes.filter(({ path }) => path !== '').map(({ path }) => quotedForFish(path));
  const lines = nodes.flatMap(({ path, words, options, files }) => {
    const here = `complete -c assay -n ${quotedForFish(`__assay_at ${quotedForFish(path)}`)}`;
    return [
      ...words.map(
        ({ name, description }) => `${here} -a ${quotedForFish(name)} -d ${quotedForFish(description)}`,
      ),
      ...options.map(({ long, short, takesValue, description }) => {
        const flags = `-l ${long.slice(2)}${short === null ? '' : ` -s ${short.slice(1)}`}`;
        return `${here} ${flags}${takesValue ? ' -r' : ''} -d ${quotedForFish(description)}`;
      }),
      ...(files ? [`${here} -F`] : []),
    ];
  });
  return `# Completion of assay for fish. Load it with: assay completion fish | source
function __assay_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at/$word"
            case ${deeper.join(' ')}
                set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c assay -f
${lines.join('\n')}
`;
}

/** In single quotes; fish escapes inside of them, where other shells do not. */
function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
