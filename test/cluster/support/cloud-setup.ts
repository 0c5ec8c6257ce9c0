import { startMoto } from '../../aws/support/moto.ts';
import { CLOUD } from './cloud.ts';

/** Starts the cluster's emulated AWS before the first file and ends it after the last; one that answers already is used. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const answers = await fetch(`http://${CLOUD.host}:${CLOUD.port}/moto-api/`, {
    signal: AbortSignal.timeout(2_000),
  }).then(
    () => true,
    () => false,
  );
  if (answers) return undefined;
  // Not as the tests' group: what that group sends to pods is dropped, answers too.
  const moto = await startMoto({ ...CLOUD, gid: 0 });
  return () => moto.stop();
}
