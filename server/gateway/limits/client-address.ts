import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** What some proxies write into X-Forwarded-For: an address with a port, an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<four>\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i;

/**
 * By what a client is counted: its IPv4 address, or the /64 network of its IPv6 address, in which one machine may have as
 * many addresses as it likes. What a trusted proxy says and is no address counts as the proxy's own.
 */
export function clientAddress(request: FastifyRequest): string {
  const address = plainAddress(request.ip) ?? request.socket.remoteAddress;
  return address === undefined ? 'unknown' : normalizeIP(address, 64);
}

function plainAddress(text: string): string | undefined {
  const { six, four } = WITH_PORT.exec(text)?.groups ?? {};
  const address = six ?? four ?? text;
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
