import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { compile, all as senders } from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import type { RateLimit } from '../../../shared/route.ts';

/** So many requests of one kind in each window of so many milliseconds. */
type Policy = { max: number; window: number };

/** What is counted: by the address a request comes from, and by the session in its cookie. */
type Policies = { address: Policy; session?: Policy };

export type LimitName = RateLimit | 'anonymous';

const MINUTE = 60_000;

/**
 * How often something may be done. An address may be that of a whole office or of a mobile network, so it may do more
 * than a session. `anonymous` counts every call without a session; with one there is no limit but the named ones.
 */
export const LIMITS: Readonly<Record<LimitName, Policies>> = {
  'sign-in': { address: { max: 600, window: 10 * MINUTE } },
  'code-exchange': { address: { max: 600, window: 10 * MINUTE } },
  report: { address: { max: 60, window: 60 * MINUTE }, session: { max: 20, window: 60 * MINUTE } },
  upload: { address: { max: 600, window: 10 * MINUTE }, session: { max: 120, window: 10 * MINUTE } },
  account: { address: { max: 600, window: 60 * MINUTE }, session: { max: 60, window: 60 * MINUTE } },
  export: { address: { max: 60, window: 60 * MINUTE }, session: { max: 10, window: 60 * MINUTE } },
  anonymous: { address: { max: 1200, window: MINUTE } },
};

/** What some proxies write into X-Forwarded-For: an address with a port, an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<four>\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i;

/**
 * A client is counted by its IPv4 address, or by the /64 network of its IPv6 address, in which one machine may have as
 * many addresses as it likes. What a trusted proxy says and is no address counts as the proxy's own. `trustProxy`:
 * addresses or ranges of proxies in front.
 */
export function createClientAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => counted(socket.remoteAddress);
  const trusted = compile([...trustProxy]);
  return (request) =>
    counted(plainAddress(senders(request, trusted).at(-1) ?? '') ?? request.socket.remoteAddress);
}

function counted(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return isIPv4(address) ? address : normalizeIP(address, 64);
}

function plainAddress(text: string): string | undefined {
  const { six, four } = WITH_PORT.exec(text)?.groups ?? {};
  const address = six ?? four ?? text;
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
