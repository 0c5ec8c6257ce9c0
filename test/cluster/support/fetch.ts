import { temporalCli } from '../../support/python-tool.ts';
import { startMoto } from '../../aws/support/moto.ts';

/** Fetches what tests need from outside, before they start where there is no outside. with-cluster.sh fetches the rest. */
await temporalCli();
await (await startMoto()).stop();
