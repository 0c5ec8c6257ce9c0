import { type Command, Option } from '@commander-js/extra-typings';
import { type Home, resolveHome } from '../lab/home.ts';
import type { Env } from '../temporal/home.ts';
import type { Context } from './context.ts';
import type { Check } from './doctor/check.ts';
import { EXIT } from './exit-codes.ts';

/** `assay doctor`: everything that a run needs, looked at without starting anything. */
export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('look at everything that an experiment needs, and say how to mend what is wrong')
    .addOption(new Option('--json', 'print the checks as JSON'))
    .action(async (options) => {
      const { checksText, verdictText } = await import('./doctor/check.ts');
      const checks = await allChecks(context);
      const good = checks.every(({ state }) => state !== 'fail');
      if (options.json)
        context.terminal.data(`${JSON.stringify({ format: 1, ok: good, checks }, null, 1)}\n`);
      else context.terminal.data(checksText(checks));
      context.terminal.say(verdictText(checks));
      context.exitWith(good ? EXIT.ok : EXIT.infrastructure);
    });
}

async function allChecks({ env }: Context): Promise<Check[]> {
  const { fail } = await import('./doctor/check.ts');
  const home = resolveHome(env);
  if (process.platform !== 'linux')
    return [
      fail(
        'system',
        `a local lab needs Linux; this is ${process.platform}.`,
        'Run Assay on a Linux machine or in a container.',
      ),
    ];
  const { defaultPlan, programChecks } = await import('./doctor/programs.ts');
  const { machineChecks } = await import('./doctor/machine.ts');
  const plan = defaultPlan();
  const programs = await programChecks(home, env, plan);
  const wrong = new Set(programs.map(({ id }) => id));
  // What the preflight refuses is not praised a line below.
  const machine = (await machineChecks(home, plan)).filter(({ id }) => !wrong.has(id));
  return [...programs, ...machine, ...(await serverAndLabs(home, env))];
}

async function serverAndLabs(home: Home, env: Env): Promise<Check[]> {
  const { openIfUp, temporalChecks } = await import('./doctor/temporal.ts');
  const { labChecks } = await import('./doctor/labs.ts');
  const seen = await openIfUp(env);
  try {
    return [...(await temporalChecks(env, seen)), ...(await labChecks(home, env, seen.open))];
  } finally {
    await seen.open?.close();
  }
}
