import { z } from 'zod';
import type { Scope } from './leftover.ts';

/** What the workflow `janitor` takes; all of it may be left out. Whoever can start a workflow writes it. */
const janitorInput = z.strictObject({
  /** False: only says what it would remove. */
  delete: z.boolean().default(false),
  context: z.string().min(1).max(200).optional(),
  namespaces: z
    .array(z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'Expected the name of a namespace.'))
    .min(1)
    .max(200)
    .optional(),
  region: z
    .string()
    .regex(/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/, 'Expected a region such as ap-northeast-2.')
    .optional(),
  ignoreExpiry: z.boolean().default(false),
});

export type JanitorInput = z.input<typeof janitorInput>;

/** The scope that an input asks for; or all that is wrong with it, a line each. */
export function readInput(
  input: unknown,
): { readonly delete: boolean; readonly scope: Scope } | { readonly wrong: readonly string[] } {
  const read = janitorInput.safeParse(input ?? {});
  if (!read.success)
    return {
      wrong: read.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`),
    };
  const { context = null, namespaces = null, region = null, ignoreExpiry } = read.data;
  return { delete: read.data.delete, scope: { context, namespaces, region, ignoreExpiry } };
}
