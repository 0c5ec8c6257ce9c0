import { createHash } from 'node:crypto';
import type { AgentOptions, RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import type { RequestContext, SecurityAuthentication } from '@kubernetes/client-node';
import { InfrastructureError } from '../../errors.ts';
import { ClusterError } from './cluster-error.ts';

/** The way to one API server: its address and the credentials for it. */
export interface ClusterAccess {
  readonly name: string;
  readonly server: string;
  /** Puts credentials and trust on a request of the client library. */
  readonly authentication: SecurityAuthentication;
  /** The same for a WebSocket: headers and TLS options, read anew for each. Throws a ClusterError `expired-credentials`. */
  socketOptions(): Promise<RequestOptions>;
}

/**
 * Reads KUBECONFIG (else ~/.kube/config, else the pod's ServiceAccount). Tokens and certificate files are read again while
 * we run; credential plugins (`aws eks get-token`) are asked again when theirs expire.
 * Throws an InfrastructureError that says what to set.
 */
export function openAccess(options: { readonly context?: string } = {}): ClusterAccess {
  const config = readConfig();
  if (options.context !== undefined) chooseContext(config, options.context);
  const cluster = config.getCurrentCluster();
  if (cluster === null || config.getCurrentUser() === null) {
    throw noCluster(
      `The context ${config.currentContext || '(none is current)'} names no known cluster and user.`,
    );
  }
  const name = config.currentContext === 'inClusterContext' ? 'in-cluster' : config.currentContext;
  return {
    name,
    server: cluster.server,
    authentication: createAuthentication(config),
    socketOptions: () => socketOptions(config),
  };
}

function readConfig(): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (cause) {
    throw noCluster(`The kubeconfig cannot be read: ${(cause as Error).message}.`, cause);
  }
  // What the library falls back to when it finds nothing.
  if (config.currentContext === 'loaded-context') {
    throw noCluster('There is neither a kubeconfig nor a ServiceAccount.');
  }
  return config;
}

function chooseContext(config: KubeConfig, context: string): void {
  const known = config.getContexts().map(({ name }) => name);
  if (!known.includes(context)) {
    throw noCluster(`There is no context ${context}; known: ${known.join(', ') || 'none'}.`);
  }
  config.setCurrentContext(context);
}

function noCluster(message: string, cause?: unknown): InfrastructureError {
  return new InfrastructureError(
    'no-cluster',
    message,
    'Set KUBECONFIG to a file with the cluster, check its contexts (`kubectl config get-contexts`), or run the worker in a pod with a ServiceAccount.',
    { cause },
  );
}

/**
 * The library makes a new connection pool for every request; ours is kept until trust or certificate change.
 */
function createAuthentication(config: KubeConfig): SecurityAuthentication {
  let pool: { key: string; dispatcher: ReturnType<RequestContext['getDispatcher']> } | null = null;
  return {
    getName: () => 'kubeconfig',
    async applySecurityAuthentication(context: RequestContext): Promise<void> {
      const options = await httpsOptions(config);
      const key = createHash('sha256')
        .update(JSON.stringify(config.createDispatcherOptions(config.getCurrentCluster(), trustOf(options))))
        .digest('hex');
      if (pool?.key === key) {
        for (const [name, value] of Object.entries(options.headers ?? {})) {
          context.setHeaderParam(name, String(value));
        }
        if (typeof options.auth === 'string') {
          context.setHeaderParam('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
        }
        if (pool.dispatcher !== undefined) context.setDispatcher(pool.dispatcher);
        return;
      }
      await config.applySecurityAuthentication(context);
      pool = { key, dispatcher: context.getDispatcher() };
    },
  };
}

/** What the library makes a connection pool of. */
function trustOf(options: RequestOptions): AgentOptions {
  const { ca, cert, key, rejectUnauthorized, servername } = options;
  return Object.fromEntries(
    Object.entries({ ca, cert, key, rejectUnauthorized, servername }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

async function socketOptions(config: KubeConfig): Promise<RequestOptions> {
  const options = await httpsOptions(config);
  // The library's agent keeps the first certificate for ever; only a proxy needs one.
  if (config.getCurrentCluster()?.proxyUrl === undefined) delete options.agent;
  return options;
}

async function httpsOptions(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (cause) {
    const why = (cause as Error).message.trim().split('\n').slice(-1)[0] ?? '';
    throw new ClusterError('expired-credentials', 'get credentials', `${why}.`, { cause });
  }
  return options;
}
