import { type LookupAddress, type LookupAllOptions, lookup as lookupWithSystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { trustIn } from './outgoing.ts';

/** True for an address that belongs to nobody's private network, host or link (IANA special-purpose registries). */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Finds all addresses of a name, as `lookup` of node:dns. */
type LookUpAll = (
  hostname: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for connections to hosts that users name: every address of the name must be public. The check belongs here and not
 * before the request, as the name may lead elsewhere a moment later (DNS rebinding).
 */
export function publicLookup(lookup: LookUpAll = lookupWithSystem): LookupFunction {
  return (hostname, { all, ...options }, answer) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) answer(error, '');
      else if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        answer(new Error(`${hostname} is not on the public network`), '');
      else if (all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
}

/** How hosts that users name are reached: all of them publicly, unless a test says otherwise. */
export type PublicNetwork = { lookup: LookupFunction; port: number; ca?: string };

const PUBLIC_NETWORK: PublicNetwork = { lookup: publicLookup(), port: 443 };

/** Milliseconds for a whole call, and bytes that are read of its answer. */
const CALL = { timeout: 5000, bytes: 4096 } as const;

/** What a host answered; redirects are not followed. */
export type PublicAnswer = { status: number; text: string };

/**
 * Gets a small text over https from a host that a user named: without redirects, cookies or credentials, and only from the
 * public network.
 * @param host a domain name
 * @throws Error for an address or a name without a dot, a host that is not reached, an untrusted certificate, and an answer that
 * is too large or slow
 */
export async function readPublicText(
  host: string,
  path: string,
  { lookup, port, ca }: PublicNetwork = PUBLIC_NETWORK,
): Promise<PublicAnswer> {
  if (ipaddr.isValid(host) || !host.includes('.')) throw new Error(`${host} is no domain name`);
  // Loaded on the first call.
  const { Agent, buildConnector, request } = await import('undici');
  const connect = buildConnector({ timeout: CALL.timeout, lookup, allowH2: false, ...trustIn(ca) });
  const agent = new Agent({
    connect: (options, done) => connect({ ...options, port: String(port) }, done),
    maxResponseSize: CALL.bytes,
  });
  try {
    const answer = await request(`https://${host}${path}`, {
      dispatcher: agent,
      reset: true,
      signal: AbortSignal.timeout(CALL.timeout),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } finally {
    await agent.destroy();
  }
}
