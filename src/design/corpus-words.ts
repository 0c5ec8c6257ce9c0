/** What the log lines of the corpus are made of: plain ASCII without quotes or backslashes, so that a cut never breaks JSON. */
export const LEVELS: readonly string[] = ['INFO', 'INFO', 'INFO', 'INFO', 'DEBUG', 'DEBUG', 'WARN', 'ERROR'];

/** At most 8 letters each: the shortest record has room for no more. */
export const SERVICES: readonly string[] = [
  'checkout',
  'cart',
  'search',
  'catalog',
  'payment',
  'shipping',
  'login',
  'profile',
  'pricing',
  'stock',
  'gateway',
  'mailer',
];

export const HOSTS: readonly string[] = Array.from(
  { length: 24 },
  (_, i) => `node-${String.fromCharCode(97 + (i % 3))}${String(i + 1).padStart(2, '0')}`,
);

export const METHODS: readonly string[] = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

export const PATHS: readonly string[] = [
  '/v1/orders',
  '/v1/items',
  '/v1/users',
  '/v2/search',
  '/v2/prices',
  '/v1/carts',
  '/v1/payments',
  '/v1/refunds',
  '/healthz',
  '/v2/sessions',
  '/v1/shipments',
  '/v1/reviews',
];

export const WORDS: readonly string[] =
  `request response accepted rejected started finished retrying timeout connection closed opened pool exhausted cache miss hit stale refreshed
  order item customer invoice payment refund shipment address created updated deleted archived pending confirmed cancelled expired
  token session user account role permission granted denied verified invalid missing required unexpected unknown duplicate conflict
  database query transaction commit rollback replica primary failover slow lock deadlock index scan rows affected migration applied
  queue message published consumed acknowledged partition offset lag rebalance producer consumer topic batch flushed dropped backlog
  thread worker scheduler job task delayed skipped completed failed attempt after before during while within exceeded limit quota
  upstream downstream service endpoint route proxy balancer healthy unhealthy degraded recovered restarting draining shutdown signal
  memory heap usage collector pause disk write read latency throughput percentile average maximum threshold warning critical normal
  config reloaded feature flag enabled disabled rollout version release build canary region zone cluster tenant shard key value
  price discount tax total currency quantity stock reserved available warehouse carrier tracking delivery estimate weekend holiday
  search result page filter sort relevance ranking suggestion spelling synonym empty partial complete remote local fallback default
  because without with from into over under between using handled returned received sent waiting for next first last new old`
    .split(/\s+/)
    .filter((word) => word !== '');
