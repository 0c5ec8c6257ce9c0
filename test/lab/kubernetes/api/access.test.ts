import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAccess } from '../../../../src/lab/kubernetes/api/access.ts';
import { createCluster, openCluster } from '../../../../src/lab/kubernetes/api/client-cluster.ts';
import { apiServer } from './exec-server.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-access-'));
  vi.stubEnv('HOME', folder);
  vi.stubEnv('KUBECONFIG', join(folder, 'config'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Two contexts on servers without TLS; `one` is current. */
function writeConfig(user: object, server = 'http://127.0.0.1:1'): void {
  const cluster = { server, 'insecure-skip-tls-verify': true };
  const contexts = ['one', 'two'].map((name) => ({ name, context: { cluster: name, user: 'me' } }));
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'one', cluster },
      { name: 'two', cluster: { ...cluster, server: 'http://127.0.0.1:2' } },
    ],
    users: [{ name: 'me', user }],
    contexts,
    'current-context': 'one',
  };
  writeFileSync(join(folder, 'config'), JSON.stringify(config));
}

const plugin = (script: string): object => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', script] },
});

const credential = (token: string): string =>
  `echo '${JSON.stringify({ kind: 'ExecCredential', status: { token } })}'`;

describe('where the cluster is', () => {
  it('is the current context, or the one that is named', () => {
    writeConfig({ token: 't' });
    expect(openAccess()).toMatchObject({ name: 'one', server: 'http://127.0.0.1:1' });
    expect(openAccess({ context: 'two' })).toMatchObject({ name: 'two', server: 'http://127.0.0.1:2' });
  });

  it('a context that is not there is refused with those that are', () => {
    writeConfig({ token: 't' });
    expect(() => openAccess({ context: 'three' })).toThrow('There is no context three; known: one, two.');
  });

  it.each([
    ['a file that is not there', () => {}],
    ['a file that is no YAML', () => writeFileSync(join(folder, 'config'), '{ a: [')],
    ['an empty file', () => writeFileSync(join(folder, 'config'), '')],
    ['nothing at all', () => vi.stubEnv('KUBECONFIG', '')],
  ])('%s says what to set', (_what, prepare) => {
    prepare();
    expect(() => openAccess()).toThrow(expect.objectContaining({ code: 'no-cluster' }));
  });
});

describe('credentials', () => {
  it.each([
    ['a token', { token: 't-1' }, 'Bearer t-1'],
    ['a plugin', plugin(credential('t-2')), 'Bearer t-2'],
    ['a password', { username: 'u', password: 'p' }, `Basic ${Buffer.from('u:p').toString('base64')}`],
  ])('of %s are sent with every request', async (_what, user, header) => {
    const seen: (string | undefined)[] = [];
    const { server } = await apiServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ major: '1', minor: '36+', gitVersion: 'v1.36.3', platform: 'linux/amd64' }),
      );
    });
    writeConfig(user, server);
    const cluster = openCluster();
    expect(await cluster.version()).toEqual({ gitVersion: 'v1.36.3', minor: 36, platform: 'linux/amd64' });
    await cluster.version();
    expect(seen).toEqual([header, header]);
  });

  it('that cannot be had are said to be so, in both ways in', async () => {
    writeConfig(plugin('echo "Token has expired, run: sso login" >&2; exit 255'));
    const cluster = openCluster();
    await expect(cluster.version()).rejects.toMatchObject({
      code: 'expired-credentials',
      message: expect.stringContaining('Token has expired, run: sso login'),
    });
    const target = { namespace: 'a', pod: 'b', container: 'c' };
    expect(await cluster.exec(target, ['true'], { deadlineMs: 5_000 })).toMatchObject({
      kind: 'unknown',
      code: 'expired-credentials',
      started: 'no',
    });
  });

  it('whose plugin hangs do not hang us', async () => {
    writeConfig(plugin('exec sleep 5'));
    const cluster = openCluster();
    const target = { namespace: 'a', pod: 'b', container: 'c' };
    await expect(cluster.version({ deadlineMs: 200 })).rejects.toMatchObject({ code: 'unreachable' });
    expect(await cluster.exec(target, ['true'], { deadlineMs: 200 })).toMatchObject({
      code: 'deadline',
      started: 'no',
    });
  });

  it('that the server does not take are expired', async () => {
    const access = await apiServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"kind":"Status","message":"Unauthorized"}');
    });
    await expect(createCluster(access).version()).rejects.toMatchObject({ code: 'expired-credentials' });
  });
});
