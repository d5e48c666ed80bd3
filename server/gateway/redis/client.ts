import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { trustIn } from '../../http/outgoing.ts';
import type { RedisAddress } from '../options.ts';

/** A connection to one server, to the primary that Sentinel names, or to a cluster. */
export type RedisClient = Redis | Cluster;

/** All times in milliseconds. */
const MAX_RECONNECT_DELAY = 500;
const SENTINEL_TIMEOUT = 1000;
/** Between two questions whether a server has loaded its data. */
const LOADING_INTERVAL = 500;

/**
 * Replies of a server that cannot be the primary, or not now: another connection may reach the right one. Older versions
 * put the word inside the error of a script.
 */
const WRONG_SERVER = /\b(?:READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)\b/;

const retryDelay = (times: number): number => Math.min(50 * 2 ** times, MAX_RECONNECT_DELAY);

/**
 * A client that is not connected yet. It connects again after a reply that comes from a server that is not the primary
 * (R 9.31), and repeats no command by itself.
 */
export function createClient(
  address: RedisAddress,
  { ca, connectTimeout }: { ca: string | undefined; connectTimeout: number },
): RedisClient {
  const options = {
    lazyConnect: true,
    connectTimeout,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    maxLoadingRetryTime: LOADING_INTERVAL,
    retryStrategy: retryDelay,
    reconnectOnError: ({ message }) => WRONG_SERVER.test(message),
  } satisfies RedisOptions;
  if (address.kind === 'server') {
    const { url } = address;
    return new Redis(url, { ...options, ...(url.startsWith('rediss:') && { tls: trustIn(ca) }) });
  }
  const { kind, nodes, isEncrypted, ...login } = address;
  const tls = isEncrypted ? { tls: trustIn(ca) } : {};
  if (kind === 'sentinel') {
    return new Redis({
      ...options,
      ...login,
      ...tls,
      ...(isEncrypted && { enableTLSForSentinelMode: true, sentinelTLS: trustIn(ca) }),
      sentinels: [...nodes],
      sentinelRetryStrategy: retryDelay,
      sentinelCommandTimeout: SENTINEL_TIMEOUT,
      // Sentinel tells of a new primary before the old connection fails.
      failoverDetector: true,
    });
  }
  const { lazyConnect, enableOfflineQueue, enableAutoPipelining } = options;
  return new Cluster([...nodes], {
    ...{ lazyConnect, enableOfflineQueue, enableAutoPipelining },
    clusterRetryStrategy: retryDelay,
    slotsRefreshTimeout: connectTimeout,
    // Certificates have names, not addresses.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: { ...login, ...tls, connectTimeout },
  });
}

/** The policies of servers that remove keys when their memory is full; none if all refuse writes instead. */
export async function evictionPolicies(client: RedisClient): Promise<string[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  // Not CONFIG, which managed servers do not allow.
  const replies = await Promise.all(servers.map((server) => server.info('memory')));
  const policies = replies.flatMap((reply) => /^maxmemory_policy:(\S+)/m.exec(reply)?.[1] ?? []);
  return [...new Set(policies)].filter((policy) => policy !== 'noeviction');
}
