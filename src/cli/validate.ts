import type { Command } from '@commander-js/extra-typings';
import type { DrawnPlan } from '../design/draw-plan.ts';
import type { Context } from './context.ts';
import { type SpecOptions, withSpec } from './spec-options.ts';
import { shellWord } from './words.ts';

/** No note depends on the key of the experiment. */
const NO_KEY = 'not-started';

/** `assay validate SPEC`: all mistakes that can be told at once, with their places; and whether its plan has more to say. */
export function addValidate(program: Command, context: Context): void {
  withSpec(
    program
      .command('validate')
      .description('check a spec: all mistakes that can be told at once, with line and column'),
  ).action(async (file, options) => {
    const { loadSpecs } = await import('./load-spec.ts');
    const { drawPlan } = await import('../design/draw-plan.ts');
    const name = file === '-' ? 'stdin' : file;
    for (const loaded of loadSpecs(file, { options })) {
      const { spec, document, notes } = loaded;
      const which = document === null ? '' : ` (document ${document})`;
      const said = planSays(drawPlan(loaded.json, { experimentKey: NO_KEY }));
      const more = said === null ? '' : `; its plan ${said} (${planCommand(file, document, options)})`;
      context.terminal.say(`${name}${which}: valid, experiment ${spec.name}${more}.`);
      for (const note of notes) context.terminal.say(`Note: ${note}`);
    }
  });
}

/** `has 2 notes`, `is refused`; null = nothing that the spec does not say. */
function planSays(drawn: DrawnPlan): string | null {
  if (!drawn.ok) return 'is refused';
  const notes = drawn.plan.advice.length;
  if (notes === 0) return null;
  return `has ${notes} ${notes === 1 ? 'note' : 'notes'}`;
}

function planCommand(
  file: string,
  document: number | null,
  { set, only, blocks, smoke }: SpecOptions,
): string {
  if (set.length > 0 || only.length > 0 || blocks !== undefined || smoke || file === '-')
    return 'assay plan, with these options';
  return `assay plan ${shellWord(file)}${document === null ? '' : ` --doc ${document}`}`;
}
