import { columns, type Column, type Painter, wrap } from '../layout.ts';
import { integer, mibPerS, number, plainText } from '../text.ts';
import type { VolumeMedian } from './volume-medians.ts';
import { coverageText, UNKNOWN } from './volume-text.ts';
import { brokerName, type KubernetesView } from './view.ts';

const HEADS = ['scenario', 'broker', 'volume write MiB/s', 'write IOPS', 'of the window', 'n'] as const;
const SHAPE: readonly Column[] = HEADS.map((name, i) => ({ name, align: i < 2 ? 'left' : 'right' }));

/** What a terminal says of volumes and money: medians of CloudWatch, what is unverified, unlike nodes, cost. */
export function kubernetesLines(view: KubernetesView, width: number, paint: Painter): string[] {
  const say = (text: string, tone: Parameters<Painter>[0]): string[] =>
    wrap(plainText(text), width, '  ').map((line) => paint(tone, line));
  const unverified = view.volumes.filter(({ result }) => result !== 'verified');
  const { state, text } = view.cloudWatch;
  return [
    ...volumeTable(view, width, paint),
    ...(view.volumes.length === 0 ? [] : say(`volumes: ${text}`, state === 'stable' ? 'muted' : 'open')),
    ...unverified.flatMap((one) =>
      say(`! the volume of ${brokerName(view, one)} is ${one.result}: ${one.seen}`, 'open'),
    ),
    ...view.sharedDevices.flatMap((text) => say(`! ${text}`, 'open')),
    ...view.differences.flatMap((difference) => say(`! ${difference}`, 'open')),
    ...view.cost.lines.flatMap((line) => say(`cost: ${line}`, 'muted')),
  ];
}

function volumeTable(view: KubernetesView, width: number, paint: Painter): string[] {
  if (view.medians.every(({ cloudWatch }) => cloudWatch === null)) return [];
  const cells = ({ scenario, volume, valid, cloudWatch: seen }: VolumeMedian): string[] => [
    plainText(scenario),
    plainText(brokerName(view, volume)),
    seen === null ? UNKNOWN : mibPerS(seen.writeBytesPerS),
    seen === null ? UNKNOWN : number(seen.writeOpsPerS),
    seen === null ? UNKNOWN : coverageText(seen.coverage),
    `${integer(seen?.n ?? 0)} of ${integer(valid)}`,
  ];
  const table = columns(SHAPE, view.medians.map(cells), width);
  return [paint('muted', table.head), ...table.rows];
}
