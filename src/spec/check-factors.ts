import { suggestion } from './did-you-mean.ts';
import type { SpecIssue, SpecPath } from './issue.ts';
import { declaration, isDynamic } from './kafka-properties.ts';
import { levelsOf } from './levels.ts';
import type { FactorSpec, Spec } from './schema.ts';

/** A spec in which nothing varies asks nothing, unless it searches. Looks at the JSON, so that it holds for a broken spec too. */
export function nothingVaries(json: unknown): readonly SpecIssue[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const { factors, search } = json as { factors?: unknown; search?: unknown };
  const none = typeof factors === 'object' && factors !== null && Object.keys(factors).length === 0;
  if (search !== undefined || (factors !== undefined && !none)) return [];
  const message =
    'A spec needs at least one factor: a setting that varies, and its levels. (Or a search: the highest rate that passes.)';
  return [{ code: 'missing', path: none ? ['factors'] : [], at: 'key', message }];
}

/** What a factor says beyond its levels: how it is applied, when it exists, how its series ends. */
export function factorRuleIssues(spec: Spec): readonly SpecIssue[] {
  const names = Object.keys(spec.factors);
  return Object.entries(spec.factors).flatMap(([name, factor], i) => [
    ...applyIssues(name, factor),
    ...whenIssues(spec, name, factor, names.slice(0, i)),
    ...whileIssues(name, factor),
  ]);
}

function contradiction(path: SpecPath, message: string): SpecIssue {
  return { code: 'contradiction', path, at: 'value', message };
}

function pathsOf(factor: FactorSpec): readonly string[] {
  return levelsOf(factor).flatMap((level) => level.sets.map(([path]) => path));
}

function applyIssues(name: string, factor: FactorSpec): readonly SpecIssue[] {
  if (factor.apply === undefined) return [];
  const at = ['factors', name, 'apply'];
  const paths = pathsOf(factor);
  if (!paths.some((path) => path.startsWith('lab.brokers.')))
    return [
      contradiction(
        at,
        `apply says how brokers get a setting, and "${name}" sets none of theirs; leave it out.`,
      ),
    ];
  return factor.apply === 'dynamic' ? dynamicIssues(at, factor, paths) : [];
}

const CONFIG = 'lab.brokers.config.';

/** What a running broker does not take. */
function dynamicIssues(at: SpecPath, factor: FactorSpec, paths: readonly string[]): readonly SpecIssue[] {
  const say = (why: string) => contradiction(at, `${why} Use apply: restart.`);
  return [...new Set(paths)].flatMap((path): readonly SpecIssue[] => {
    if (path === 'lab.brokers.heap' || path === 'lab.brokers.jit')
      return [say(`${path} belongs to the process: a running broker cannot change it.`)];
    if (!path.startsWith(CONFIG)) return [];
    const name = path.slice(CONFIG.length);
    if (declaration('broker', name) !== undefined && !isDynamic(name))
      return [say(`Kafka reads ${name} only when a broker starts.`)];
    const values = levelsOf(factor)
      .flatMap((level) => level.sets.filter(([written]) => written === path))
      .map(([, value]) => Number(value));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return THREADS.includes(name) && most > 2 * least
      ? [
          say(
            `A running broker changes ${name} to between half and double at most, not from ${least} to ${most}.`,
          ),
        ]
      : [];
  });
}

/** Thread pools: Kafka's DynamicThreadPool, LogCleaner and SocketServer refuse larger steps. */
const THREADS = [
  'background.threads',
  'log.cleaner.threads',
  'num.io.threads',
  'num.network.threads',
  'num.recovery.threads.per.data.dir',
  'num.replica.fetchers',
];

/** A condition speaks of factors that stand before it: then none can depend on itself. */
function whenIssues(
  spec: Spec,
  name: string,
  factor: FactorSpec,
  before: readonly string[],
): readonly SpecIssue[] {
  return Object.entries(factor.when ?? {}).flatMap(([other, allowed]): readonly SpecIssue[] => {
    const at = ['factors', name, 'when', other];
    const known = spec.factors[other];
    if (known === undefined || !Object.hasOwn(spec.factors, other))
      return [
        {
          code: 'unknown-name',
          path: at,
          at: 'key',
          message: `There is no factor "${other}". ${suggestion(other, before)}`.trim(),
        },
      ];
    if (!before.includes(other))
      return [contradiction(at, `"${other}" must stand before "${name}", which depends on it; move it up.`)];
    const labels = levelsOf(known).map((level) => level.label);
    return (Array.isArray(allowed) ? allowed : [allowed])
      .map(String)
      .filter((label) => !labels.includes(label))
      .map((label) => ({
        code: 'unknown-name' as const,
        path: at,
        at: 'value' as const,
        message: `The factor "${other}" has no level "${label}". ${suggestion(label, labels)}`.trim(),
      }));
  });
}

function whileIssues(name: string, factor: FactorSpec): readonly SpecIssue[] {
  if (factor.while === undefined) return [];
  if (pathsOf(factor).some((path) => /^producers\.[^.]+\.rate$/.test(path))) return [];
  const message = `while ends a series of rates, and "${name}" sets no producers.….rate.`;
  return [contradiction(['factors', name, 'while'], message)];
}
