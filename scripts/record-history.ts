// npm run history -- WORKFLOW_ID NAME: stores the history of a closed workflow as test/replay/histories/NAME.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { chooseTemporal, openClient } from '../src/temporal/connection.ts';

const [workflowId, name] = process.argv.slice(2);
if (workflowId === undefined || name === undefined) throw new Error('usage: npm run history -- WORKFLOW_ID NAME');
const open = await openClient(chooseTemporal(process.env));
const history = await open.client.workflow.getHandle(workflowId).fetchHistory();
const folder = new URL('../test/replay/histories/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL(`${name}.json`, folder), `${historyToJSON(history)}\n`);
writeFileSync(new URL(`${name}.id`, folder), `${workflowId}\n`);
await open.close();
