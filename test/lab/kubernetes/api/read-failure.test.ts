import { ApiException } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { ClusterError } from '../../../../src/lab/kubernetes/api/cluster-error.ts';
import { readFailure } from '../../../../src/lab/kubernetes/api/read-failure.ts';

const answer = (
  code: number,
  message: string,
  more: object = {},
  headers: Record<string, string> = {},
): ApiException<string> =>
  new ApiException(code, 'x', JSON.stringify({ kind: 'Status', message, code, ...more }), headers);

const fetchFailed = (code: string): Error =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code }),
  });

const terminating = { details: { causes: [{ reason: 'NamespaceTerminating', message: 'x' }] } };

describe('what the API server answers', () => {
  it.each<[string, unknown, string, boolean]>([
    ['401', answer(401, 'Unauthorized'), 'expired-credentials', false],
    ['403', answer(403, 'pods is forbidden: User "x" cannot list'), 'forbidden', false],
    ['403 of a quota', answer(403, 'pods "a" is forbidden: exceeded quota: small'), 'quota', false],
    ['403 of a policy', answer(403, 'violates PodSecurity "restricted:latest"'), 'invalid', false],
    ['403 of a webhook', answer(403, 'admission webhook "x" denied the request: no'), 'invalid', false],
    ['403 of an ending namespace', answer(403, 'unable to create', terminating), 'conflict', false],
    ['404', answer(404, 'pods "a" not found'), 'not-found', false],
    ['409', answer(409, 'already exists'), 'conflict', false],
    ['422', answer(422, 'is invalid: spec'), 'invalid', false],
    ['429', answer(429, 'too many'), 'unreachable', true],
    ['500', answer(500, 'etcdserver: leader changed'), 'other', true],
    ['503', answer(503, 'no'), 'unreachable', true],
    ['a page of a proxy', new ApiException(502, 'x', '<html>Bad Gateway</html>', {}), 'unreachable', true],
    ['nobody', fetchFailed('ECONNREFUSED'), 'unreachable', true],
    ['a bad certificate', fetchFailed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'unreachable', false],
    ['no JSON', new SyntaxError('Unexpected token <'), 'other', false],
    [
      'no credentials',
      new ClusterError('expired-credentials', 'get credentials', 'log in.'),
      'expired-credentials',
      false,
    ],
  ])('%s', (_name, thrown, code, retryable) => {
    const failure = readFailure(thrown, 'get Pod bench/a');
    expect(failure.error).toMatchObject({ code, what: 'get Pod bench/a' });
    expect(failure.error.message).toMatch(/^Kubernetes: cannot get Pod bench\/a: ./);
    expect(failure.retryable).toBe(retryable);
  });

  it('names the fields that others own', () => {
    const details = {
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.spec.replicas' },
      ],
    };
    const { error } = readFailure(answer(409, 'Apply failed with 1 conflict', { details }), 'apply');
    expect(error.fields).toEqual(['.spec.replicas: conflict with "kubectl"']);
  });

  it('says how long to wait where the server does', () => {
    expect(readFailure(answer(429, 'x', {}, { 'retry-after': '2' }), 'get').retryAfterMs).toBe(2_000);
    expect(readFailure(answer(429, 'x'), 'get').retryAfterMs).toBeNull();
  });
});
