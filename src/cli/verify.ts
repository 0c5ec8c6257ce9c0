import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';

/** `assay verify DIR`: is every byte as it was exported? */
export function addVerify(program: Command, context: Context): void {
  program
    .command('verify')
    .description('compare a results folder with the hashes of its manifest')
    .argument('<dir>', 'results folder')
    .action(async (dir) => {
      const { openResults } = await import('./results-folder.ts');
      const { verify } = await import('../store/manifest.ts');
      const { bytesText } = await import('./words.ts');
      const { problems, good, bytes, manifestSha256 } = await verify(openResults(dir));
      for (const { kind, path, message } of problems) context.terminal.data(`${kind}  ${path}  ${message}\n`);
      if (problems.length === 0) {
        context.terminal.data(`ok  ${good} files, ${bytesText(bytes)}, manifest sha256 ${manifestSha256}\n`);
        return;
      }
      const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
      context.terminal.say(`${count}: this folder is not what was exported.`);
      context.exitWith(EXIT.infrastructure);
    });
}
