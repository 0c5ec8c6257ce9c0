import type { SpecIssue, SpecPath } from '../spec/issue.ts';
import { type Json, isMap, levelsOf } from '../spec/levels.ts';
import type { Spec } from '../spec/schema.ts';

/*
 * What cannot be done with somebody's cluster: its brokers are not ours to start, set, restart or look into. All of it is in
 * the language, so that one spec serves every lab, and is refused here with the reason.
 */

/** What no existing cluster can do of this spec; empty when there is nothing. */
export function existingRefusals(spec: Spec): readonly SpecIssue[] {
  return [
    ...unreachable(spec),
    ...clientsElsewhere(spec),
    ...brokerFactors(spec),
    ...pageCaches(spec),
    ...notOurs(spec),
  ];
}

/**
 * Settings of brokers that the spec writes for a cluster that has its own.
 *
 * @param json the spec as written: once defaults are filled in, nobody can tell what was asked for.
 */
export function brokersWritten(spec: Spec, json: Json): readonly SpecIssue[] {
  if (spec.lab.target !== 'existing') return [];
  const lab = isMap(json['lab']) ? json['lab'] : {};
  const brokers = isMap(lab['brokers']) ? lab['brokers'] : {};
  return Object.entries(WHY_NOT).flatMap(([key, why]) =>
    brokers[key] === undefined
      ? []
      : [contradiction(['lab', 'brokers', key], `${why} Leave lab.brokers.${key} out.`, 'key')],
  );
}

/** `lab.brokers.kafka` is left: it is the version of the tools that send and read. */
const WHY_NOT: Readonly<Record<string, string>> = {
  count: 'An existing cluster has the brokers that it has; they are counted when the experiment starts.',
  heap: 'The brokers of an existing cluster run already, each with the heap that it was given.',
  jit: 'The brokers of an existing cluster run already, with the JIT that they were given.',
  config:
    'Settings of an existing cluster are not altered: only topics of the experiment are. Settings of a topic are topics.….config.',
};

function contradiction(path: SpecPath, message: string, at: SpecIssue['at'] = 'value'): SpecIssue {
  return { code: 'contradiction', path, at, message };
}

/** `host:port`, an IPv6 address in brackets. */
const ADDRESS = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?):(\d{1,5})$/;

function unreachable({ lab }: Spec): readonly SpecIssue[] {
  const { bootstrap, clientProperties } = lab;
  const found: SpecIssue[] = [];
  if (bootstrap === undefined)
    found.push({
      code: 'missing',
      path: ['lab', 'target'],
      at: 'value',
      message: 'An existing cluster is found by its brokers: write lab.bootstrap: [host:port].',
    });
  bootstrap?.forEach((address, index) => {
    const port = Number(ADDRESS.exec(address)?.[3] ?? 0);
    if (port >= 1 && port <= 65_535) return;
    const message = `"${address}" is no host:port, e.g. broker-1.example.com:9092.`;
    found.push({ code: 'wrong-value', path: ['lab', 'bootstrap', index], at: 'value', message });
  });
  if (clientProperties !== undefined && !/^\/[^,\n]*[^,\n/]$/.test(clientProperties))
    found.push({
      code: 'wrong-value',
      path: ['lab', 'clientProperties'],
      at: 'value',
      message:
        'The worker reads this file, wherever it was started: write an absolute path on its machine, without commas.',
    });
  return found;
}

function clientsElsewhere({ lab }: Spec): readonly SpecIssue[] {
  const found: SpecIssue[] = [];
  if (lab.kubernetes !== undefined)
    found.push(
      contradiction(
        ['lab', 'kubernetes'],
        'Loads on an existing cluster run on the machine of the worker; clients in pods beside it are not supported yet. Leave lab.kubernetes out, and let the worker run near the cluster.',
        'key',
      ),
    );
  if (lab.clients.apart === 'node')
    found.push(
      contradiction(
        ['lab', 'clients', 'apart'],
        'Loads on an existing cluster run on the machine of the worker, which is one node; write apart: none.',
      ),
    );
  if (lab.pin === true)
    found.push(
      contradiction(
        ['lab', 'pin'],
        'lab.pin keeps brokers and clients of one machine apart, and the brokers of an existing cluster are elsewhere. Leave pin out.',
      ),
    );
  return found;
}

/** Broker settings as a factor need brokers that may be restarted or altered. */
function brokerFactors({ factors }: Spec): readonly SpecIssue[] {
  return Object.entries(factors).flatMap(([name, factor]) => {
    const path = levelsOf(factor)
      .flatMap((level) => level.sets.map(([written]) => written))
      .find((written) => written.startsWith('lab.brokers.'));
    if (path === undefined) return [];
    const message = `The factor "${name}" sets ${path}, and the brokers of an existing cluster are neither restarted nor altered. Vary settings of topics and clients, or use a local or kubernetes lab.`;
    return [contradiction(['factors', name], message, 'key')];
  });
}

/** Dropping or reading pages needs a process on the broker's machine. */
function pageCaches({ topics, factors }: Spec): readonly SpecIssue[] {
  const why = (cache: string): string =>
    `The page cache of an existing cluster's brokers can be neither made nor seen ${cache}: nothing of ours runs there. Write cache: asis, or leave it out.`;
  const ofTopics = Object.entries(topics).flatMap(([name, { fill }]) =>
    fill === undefined || fill.cache === 'asis'
      ? []
      : [contradiction(['topics', name, 'fill', 'cache'], why(fill.cache))],
  );
  const ofLevels = Object.entries(factors).flatMap(([name, factor]) => {
    const cache = levelsOf(factor)
      .flatMap((level) => level.sets)
      .find(([path, value]) => /^topics\..+\.fill\.cache$/.test(path) && value !== 'asis' && value !== null);
    return cache === undefined ? [] : [contradiction(['factors', name], why(String(cache[1])), 'key')];
  });
  return [...ofTopics, ...ofLevels];
}

/** Parts of a procedure in which a lab is made, paid or kept. */
function notOurs({ design, teardown }: Spec): readonly SpecIssue[] {
  const found: SpecIssue[] = [];
  if (design.labs > 1)
    found.push(
      contradiction(
        ['design', 'labs'],
        'An existing cluster is not provisioned, so there is one of it and no second. Leave labs out; blocks are the repeats.',
      ),
    );
  if (design.budget.usd !== undefined)
    found.push(
      contradiction(
        ['design', 'budget', 'usd'],
        'What an existing cluster costs is known to its owner only, so a limit of money cannot be watched. Use design.budget.written and design.deadline.',
      ),
    );
  if (teardown !== 'always')
    found.push(
      contradiction(
        ['teardown'],
        'Nothing of an experiment stays in an existing cluster: there is no lab to keep. Leave teardown out.',
      ),
    );
  return found;
}
