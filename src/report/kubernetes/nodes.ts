import type { PodFacts } from '../../lab/lab.ts';
import type { NumberedLab } from '../results.ts';

/** A pod of the lab and what is under it; null = not known. */
export interface NodeRow {
  readonly lab: number;
  /** `broker b1`, `client c1`. */
  readonly who: string;
  readonly pod: string;
  readonly node: string | null;
  readonly instanceType: string | null;
  readonly capacityType: string | null;
  readonly zone: string | null;
  readonly kernel: string | null;
  readonly java: string | null;
  /** `sha256:0123456789ab…`. */
  readonly image: string | null;
}

export function nodeRows(labs: readonly NumberedLab[]): readonly NodeRow[] {
  return labs.flatMap(({ lab, environment }) => (environment.pods ?? []).map((pod) => rowOf(lab, pod)));
}

function rowOf(lab: number, { who, pod, node, facts }: PodFacts): NodeRow {
  const of = (name: string): string | null => facts[name] ?? null;
  return {
    lab,
    who,
    pod,
    node,
    instanceType: of('instanceType'),
    capacityType: of('capacityType'),
    zone: of('zone'),
    kernel: of('kernel'),
    java: of('java'),
    image: shortImage(of('image')),
  };
}

function shortImage(image: string | null): string | null {
  const digest = /sha256:[0-9a-f]{12}/.exec(image ?? '')?.[0];
  return digest === undefined ? image : `${digest}…`;
}

/** What every node has of its own, so that it is no difference. */
const OWN: readonly string[] = ['instance', 'nodeSince'];

/**
 * Facts in which pods of one kind are not alike, each in one sentence: brokers on unlike nodes are unlike brokers. Clients
 * are compared with clients: they are usually of another size.
 */
export function nodeDifferences(labs: readonly NumberedLab[]): readonly string[] {
  return labs.flatMap(({ lab, environment }) => {
    const pods = environment.pods ?? [];
    const inLab = labs.length > 1 ? ` of lab ${lab}` : '';
    return (['broker', 'client'] as const).flatMap((role) =>
      differencesOf(
        `${role}s${inLab}`,
        pods.filter(({ who }) => who.startsWith(`${role} `)),
      ),
    );
  });
}

function differencesOf(kind: string, pods: readonly PodFacts[]): readonly string[] {
  const names = [...new Set(pods.flatMap(({ facts }) => Object.keys(facts)))];
  return names
    .filter((name) => !OWN.includes(name))
    .flatMap((name) => {
      const whoByValue = new Map<string, string[]>();
      for (const { who, facts } of pods) {
        const value = facts[name] ?? 'unknown';
        whoByValue.set(value, [...(whoByValue.get(value) ?? []), who]);
      }
      if (whoByValue.size < 2) return [];
      const values = [...whoByValue].map(([value, who]) => `${value} (${who.join(', ')})`);
      return [`The ${kind} differ in ${name}: ${values.join('; ')}.`];
    });
}
