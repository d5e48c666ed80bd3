import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { compile, all as senders } from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';

/** What some proxies write into X-Forwarded-For: an address with a port, an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<four>\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i;

/** Tells by what a client is counted. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * A client is counted by its IPv4 address, or by the /64 network of its IPv6 address, in which one machine may have as
 * many addresses as it likes. What a trusted proxy says and is no address counts as the proxy's own. `trustProxy`:
 * addresses or ranges of proxies in front.
 */
export function createClientAddress(trustProxy: readonly string[]): ClientAddress {
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
