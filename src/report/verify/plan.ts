import { corpus, corpusSha256 } from '../../design/corpus.ts';
import { drawPlan } from '../../design/draw-plan.ts';
import type { Plan } from '../../design/plan.ts';
import { FILES, loadJson } from '../../store/experiment-files.ts';
import type { Store } from '../../store/store.ts';
import type { PayloadsRecord } from '../results.ts';
import { compareJson, type Compared, together } from './compare.ts';

/** Draws the plan again from the spec as it was given, with the same seed, and compares it with the stored one. */
export async function planAgain(store: Store, plan: Plan, experimentKey: string): Promise<Compared> {
  const missing = (derived: string): Compared => {
    return { numbers: 0, differences: [{ path: FILES.plan, where: '', stored: 'a plan', derived }] };
  };
  if (!(await store.has(FILES.spec))) return missing(`nothing: there is no ${FILES.spec} to draw it from`);
  let spec: unknown;
  try {
    spec = JSON.parse((await store.get(FILES.spec)).toString('utf8'));
  } catch {
    return missing(`nothing: ${FILES.spec} is not JSON`);
  }
  const drawn = drawPlan(spec, { experimentKey });
  if (drawn.ok) return compareJson(FILES.plan, plan, drawn.plan);
  const mistakes = drawn.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return missing(`nothing: ${FILES.spec} is refused: ${mistakes}`);
}

/** Makes every corpus again that is made from a seed. */
export async function payloadsAgain(store: Store, plan: Plan): Promise<Compared> {
  const path = 'payloads.json';
  if (!(await store.has(path))) return { numbers: 0, differences: [] };
  const { value } = await loadJson<PayloadsRecord>(store, path);
  const made = plan.payloads.filter((p) => p.kind === 'json');
  return together(
    made.map((payload) => {
      const bytes = corpus(payload);
      const derived = { payloads: { [payload.name]: { sha256: corpusSha256(bytes), bytes: bytes.length } } };
      return compareJson(path, { payloads: { [payload.name]: value.payloads[payload.name] } }, derived);
    }),
  );
}
