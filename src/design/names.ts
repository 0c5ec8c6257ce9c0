import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { TopicPlan } from './plan.ts';

/** SHA-256 of a text as 64 hex digits. Pure JS, so that it also runs inside workflow code. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Lower-case letters, digits and single dashes, bounded; never empty. */
export function slug(text: string, maxLength: number): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, maxLength)
    .replace(/-+$/, '');
  return plain === '' ? 'x' : plain;
}

/**
 * The experiment key: slug of the workflow id + 8 hex digits of workflow id and first execution run id.
 * The same through continue-as-new and reset; new when a workflow id is used again. At most 41 characters,
 * legal as folder, topic part, Kubernetes label and namespace.
 */
export function experimentKey(workflowId: string, firstExecutionRunId: string): string {
  return `${slug(workflowId, 32)}-${sha256Hex(`${workflowId}\n${firstExecutionRunId}`).slice(0, 8)}`;
}

/** Identifies one attempt at a trial. */
export interface TrialName {
  readonly block: number;
  /** Of block 0 only, from 1. */
  readonly pass: number | null;
  readonly scenario: string;
  /** From 1. */
  readonly attempt: number;
}

/** `b3`, or `b0.p2` for the second pass of the warm-up. */
export function blockName(block: number, pass: number | null): string {
  return pass === null ? `b${block}` : `b${block}.p${pass}`;
}

/** `b3/batch=64KiB/a1`: the trial's folder in the store and the tail of its workflow id. */
export function trialId(trial: TrialName): string {
  return `${blockName(trial.block, trial.pass)}/${trial.scenario}/a${trial.attempt}`;
}

/** The id of the child workflow of a trial. */
export function trialWorkflowId(experimentWorkflowId: string, trial: TrialName): string {
  return `${experimentWorkflowId}/${blockName(trial.block, trial.pass)}/${trial.scenario}/${trial.attempt}`;
}

/**
 * The real name of a topic of one attempt: `assay.<key>.<block>.<attempt>.<topic>.<hash>`; at most 120
 * characters (Kafka allows 249), legal, and distinct for distinct scenarios by the hash.
 */
export function topicName(key: string, trial: TrialName, topic: string): string {
  const hash = sha256Hex(`${trialId(trial)}\n${topic}`).slice(0, 8);
  return `assay.${key}.${blockName(trial.block, trial.pass)}.a${trial.attempt}.${slug(topic, 24)}.${hash}`;
}

/**
 * The real name of a topic that is filled once and kept for the experiment. Topics that are made and filled alike are one
 * and the same, whichever scenarios read them; how the page cache is prepared does not make them differ.
 */
export function keptTopicName(key: string, topic: TopicPlan): string {
  return `assay.${key}.kept.${slug(topic.name, 24)}.${contentHash(topic)}`;
}

function contentHash({ name, partitions, replication, config, fill }: TopicPlan): string {
  const settings = Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const content = [name, partitions, replication, settings, fill?.records ?? 0, fill?.payload ?? ''];
  return sha256Hex(JSON.stringify(content)).slice(0, 12);
}

/** What the names of all topics of an experiment's attempts begin with; those that are kept begin otherwise. */
export function attemptTopics(key: string): string {
  return `assay.${key}.b`;
}

/** The real name of a topic in an attempt: a fresh one, unless it is filled once and kept. */
export function topicNameOf(key: string, trial: TrialName, topic: TopicPlan): string {
  return topic.fill?.each === 'experiment' ? keptTopicName(key, topic) : topicName(key, trial, topic.name);
}

/** A consumer group of one attempt: fresh, so that no offset of an earlier one is found. */
export function groupName(key: string, trial: TrialName, group: string): string {
  return topicName(key, trial, group);
}

/** The transactional id of a load of one attempt: fresh, so that nothing of an earlier one is fenced or recovered. */
export function transactionalId(key: string, trial: TrialName, load: string): string {
  return topicName(key, trial, load);
}

/** Capsules that fill a kept topic, one a try. */
export function keptFillCapsules(key: string, topic: string): string {
  return `${key}/fills/${topic}`;
}

/** Capsule of a load or sampler of one attempt; a relative path below the host's capsule folder. */
export function trialCapsule(key: string, trial: TrialName, process: string): string {
  return `${key}/${trialId(trial)}/${process}`;
}

/** Capsule of a broker: key/lab/node/incarnation. */
export function brokerCapsule(key: string, node: string, incarnation: number): string {
  return `${key}/lab/${node}/${incarnation}`;
}
