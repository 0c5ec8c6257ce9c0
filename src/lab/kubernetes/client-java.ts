import { type Command, COMMON_JVM_FLAGS } from '../jvm.ts';
import { TOOL_FOLDER } from './pod-ways.ts';

/**
 * Runs a Kafka class in a client pod, without the class's own arguments: the official image's Java and jars. Fixed heap; numbers
 * in English; GC pauses go to `gc.log` in the working folder, which is the capsule's own. As in a local lab, so that the same
 * spec runs the same client.
 */
export function clientJava(kafkaHome: string, mainClass: string, heapBytes: number): Command {
  return {
    argv: [
      'java',
      `-Xms${heapBytes}`,
      `-Xmx${heapBytes}`,
      '-XX:+UseG1GC',
      ...COMMON_JVM_FLAGS,
      '-Xlog:gc:file=gc.log:timemillis:filecount=0',
      `-Dlog4j2.configurationFile=file:${TOOL_FOLDER}/log4j2.properties`,
      '-cp',
      `${kafkaHome}/libs/*`,
      mainClass,
    ],
    env: { LC_ALL: 'C' },
  };
}
