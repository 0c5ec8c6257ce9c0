import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../../src/lab/kubernetes/api/client-cluster.ts';
import type { Typed } from '../../../../src/lab/kubernetes/api/cluster.ts';
import { apiServer } from './exec-server.ts';

const POD = { kind: 'Pod', namespace: 'bench', name: 'a' } as const;
const LABELS = { 'assay.dev/experiment': 'exp-1' };
const SERVICE: Typed<'Service'> = {
  kind: 'Service',
  metadata: { name: 'kafka-hs', namespace: 'bench', labels: LABELS },
  spec: { clusterIP: 'None' },
};

type Request = IncomingMessage & { body: string };

function say(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const pod = (uid: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'bench', uid, creationTimestamp: '2026-01-02T03:04:05Z' },
});

const service = (labels: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kafka-hs', namespace: 'bench', uid: 'u-1', labels, ...more },
});

const failure = (code: number, message: string, more: object = {}): object => ({
  kind: 'Status',
  status: 'Failure',
  message,
  code,
  ...more,
});

describe('reading', () => {
  it('asks one path for a typed object, without discovery', async () => {
    const seen: string[] = [];
    const access = await apiServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      say(response, 200, pod('u-1'));
    });
    const found = await createCluster(access).get(POD);
    expect(seen).toEqual(['GET /api/v1/namespaces/bench/pods/a']);
    expect(found?.metadata?.creationTimestamp).toEqual(new Date('2026-01-02T03:04:05Z'));
  });

  it('asks again while the server is not able, and says so when time is over', async () => {
    let asked = 0;
    const access = await apiServer((_request, response) => {
      if (++asked < 3) say(response, 503, failure(503, 'shutting down'));
      else say(response, 200, pod('u-1'));
    });
    expect((await createCluster(access).get(POD))?.metadata?.uid).toBe('u-1');

    const never = await apiServer((_request, response) => say(response, 503, failure(503, 'shutting down')));
    await expect(createCluster(never).get(POD, { deadlineMs: 600 })).rejects.toMatchObject({
      code: 'unreachable',
      message: 'Kubernetes: cannot get Pod bench/a: shutting down.',
    });
  });

  it('ends at its deadline when no answer comes, and at once when it is called off', async () => {
    const access = await apiServer(() => {});
    const cluster = createCluster(access);
    await expect(cluster.get(POD, { deadlineMs: 300 })).rejects.toMatchObject({ code: 'unreachable' });
    const controller = new AbortController();
    const call = cluster.get(POD, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('is null where nothing is', async () => {
    const access = await apiServer((_request, response) => say(response, 404, failure(404, 'not found')));
    expect(await createCluster(access).get(POD)).toBeNull();
  });

  it('reads a list page by page, again from the start when a page has expired', async () => {
    let expired = false;
    const asked: (string | null)[] = [];
    const access = await apiServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      asked.push(query.get('continue'));
      expect(query.get('labelSelector')).toBe('assay.dev/experiment=exp-1,managed');
      if (query.get('continue') === 'two' && !expired) {
        expired = true;
        say(response, 410, failure(410, 'the provided continue parameter is too old'));
      } else {
        const last = query.get('continue') === 'two';
        const metadata = last ? {} : { continue: 'two' };
        say(response, 200, {
          apiVersion: 'v1',
          kind: 'PodList',
          metadata,
          items: [{ metadata: { name: last ? 'b' : 'a' } }],
        });
      }
    });
    const labels = { ...LABELS, managed: null };
    const found = await createCluster(access).list('Pod', { namespace: 'bench', labels });
    expect(found.map((one) => one.metadata?.name)).toEqual(['a', 'b']);
    expect(found[0]?.kind).toBe('Pod');
    expect(asked).toEqual([null, 'two', null, 'two']);
  });

  it('needs a namespace where the kind has one', async () => {
    const access = await apiServer(() => {});
    const cluster = createCluster(access);
    await expect(cluster.get({ kind: 'Pod', name: 'a' })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('apply', () => {
  const answering =
    (there: object | null, patch: (request: Request, response: ServerResponse) => void) =>
    (request: Request, response: ServerResponse): void => {
      if (request.method === 'PATCH') patch(request, response);
      else if (there === null) say(response, 404, failure(404, 'not found'));
      else say(response, 200, there);
    };

  it('is a server-side apply of our manager, bound to the object that was seen, never forced', async () => {
    let sent: { url: URL; type: string; body: unknown } | undefined;
    const access = await apiServer(
      answering(service(LABELS), (request, response) => {
        const url = new URL(request.url ?? '', 'http://x');
        sent = { url, type: request.headers['content-type'] ?? '', body: JSON.parse(request.body) };
        say(response, 200, service(LABELS));
      }),
    );
    expect((await createCluster(access).apply(SERVICE)).uid).toBe('u-1');
    expect(sent?.type).toBe('application/apply-patch+yaml');
    expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual({
      fieldManager: 'assay',
      force: 'false',
    });
    expect(sent?.body).toMatchObject({ apiVersion: 'v1', kind: 'Service', metadata: { uid: 'u-1' } });
    expect(SERVICE).not.toHaveProperty('apiVersion');
  });

  it.each([
    ['of nobody', {}],
    ['of another experiment', { 'assay.dev/experiment': 'exp-2' }],
  ])('leaves alone what is %s', async (_whose, labels) => {
    let patched = false;
    const access = await apiServer(
      answering(service(labels), (_request, response) => {
        patched = true;
        say(response, 200, service(LABELS));
      }),
    );
    await expect(createCluster(access).apply(SERVICE)).rejects.toMatchObject({ code: 'foreign' });
    expect(patched).toBe(false);
  });

  it('leaves alone what is being deleted', async () => {
    const there = service(LABELS, { deletionTimestamp: '2026-01-02T03:04:05Z' });
    const access = await apiServer(answering(there, () => {}));
    await expect(createCluster(access).apply(SERVICE)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['somebody else', 'kubectl', ['false']],
    ['our own create', 'assay', ['false', 'true']],
  ])('on fields owned by %s', async (_who, manager, forced) => {
    const seen: (string | null)[] = [];
    const access = await apiServer(
      answering(service(LABELS), (request, response) => {
        const force = new URL(request.url ?? '', 'http://x').searchParams.get('force');
        seen.push(force);
        const message = `conflict with "${manager}" using v1`;
        const details = { causes: [{ reason: 'FieldManagerConflict', message, field: '.spec.ports' }] };
        if (force === 'true') say(response, 200, service(LABELS));
        else say(response, 409, failure(409, 'Apply failed', { details }));
      }),
    );
    const result = createCluster(access).apply(SERVICE);
    if (manager === 'assay') await result;
    else
      await expect(result).rejects.toMatchObject({
        code: 'conflict',
        fields: [expect.stringContaining('.spec.ports')],
      });
    expect(seen).toEqual(forced);
  });

  it('refuses an object without our label', async () => {
    const access = await apiServer(() => {});
    const bare: Typed<'Namespace'> = { kind: 'Namespace', metadata: { name: 'x' } };
    await expect(createCluster(access).apply(bare)).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('create if absent', () => {
  it('takes what an answer that was lost has created for ours', async () => {
    const access = await apiServer((request, response) => {
      if (request.method === 'POST') request.socket.destroy();
      else say(response, 200, service(LABELS));
    });
    let lost = 0;
    const twice = await apiServer((request, response) => {
      if (request.method !== 'POST') say(response, 200, service(LABELS));
      else if (lost++ === 0) request.socket.destroy();
      else say(response, 409, failure(409, 'already exists'));
    });
    await expect(createCluster(access).createIfAbsent(SERVICE, { deadlineMs: 500 })).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(await createCluster(twice).createIfAbsent(SERVICE)).toMatchObject({ uid: 'u-1', created: false });
  });

  it('refuses what is foreign', async () => {
    const access = await apiServer((request, response) => {
      if (request.method === 'POST') say(response, 409, failure(409, 'already exists'));
      else say(response, 200, service({}));
    });
    await expect(createCluster(access).createIfAbsent(SERVICE)).rejects.toMatchObject({ code: 'foreign' });
  });
});

describe('delete', () => {
  const ref = { ...POD, uid: 'u-1' };

  it('is bound to the UID', async () => {
    let sent: unknown;
    const access = await apiServer((request, response) => {
      if (request.method === 'DELETE') {
        sent = JSON.parse(request.body);
        say(response, 200, pod('u-1'));
      } else say(response, 200, pod('u-1'));
    });
    expect(await createCluster(access).delete(ref)).toEqual({ gone: false });
    expect(sent).toMatchObject({ preconditions: { uid: 'u-1' } });
  });

  it('not found, and another of the same name, is gone', async () => {
    const none = await apiServer((_request, response) => say(response, 404, failure(404, 'not found')));
    const another = await apiServer((request, response) => {
      if (request.method === 'DELETE') say(response, 409, failure(409, 'the UID in the precondition'));
      else say(response, 200, pod('u-2'));
    });
    expect(await createCluster(none).delete(ref)).toEqual({ gone: true });
    expect(await createCluster(another).delete(ref)).toEqual({ gone: true });
  });
});
