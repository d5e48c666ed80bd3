import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The client's IP address, the same text for every spelling of it: without port, zone and brackets, IPv6 compressed,
     * IPv4 in IPv6 as IPv4. Use this, never `ip`.
     */
    clientAddress: string;
  }
}

/**
 * A node as proxies write it (RFC 7239 section 6, also into X-Forwarded-For): perhaps quoted, IPv6 perhaps in brackets and
 * with a zone, perhaps with a port or an obfuscated one.
 */
const NODE =
  /^(?<quote>"?)(?:\[(?<bracketed>[0-9a-f:.]+)(?:%[^\]]*)?\]|(?<four>[\d.]+)|(?<bare>[0-9a-f:.]*:[0-9a-f:.]*)(?:%[^"]*)?)(?:(?<=\]|[\d.]):(?:\d{1,5}|_[\w.-]+))?\k<quote>$/i;

/** Longer text is no node, and would take the pattern long. */
const NODE_LENGTH_MAX = 100;

/** Groups of an IPv6 address that name a network, which one household owns entirely. */
const NETWORK_GROUPS = 4;

/** @returns the address in its one spelling, or undefined for names, obfuscated nodes and anything invalid */
export function plainAddress(node: string): string | undefined {
  if (node.length > NODE_LENGTH_MAX) return undefined;
  const { bracketed, four, bare } = NODE.exec(node.trim())?.groups ?? {};
  const address = bracketed ?? bare ?? four ?? '';
  const isAddress =
    four === undefined ? ipaddr.IPv6.isValid(address) : ipaddr.IPv4.isValidFourPartDecimal(address);
  return isAddress ? ipaddr.process(address).toString() : undefined;
}

/** The key of an address for limits: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/**
 * Sets `request.clientAddress` before all other hooks: the first address, from the connection on, that is no trusted proxy.
 * If a trusted proxy forwards an invalid address, the proxy's own counts.
 *
 * @param trustProxy addresses or ranges of trusted proxies
 */
export function readClientAddress(app: FastifyInstance, trustProxy: readonly string[]): void {
  const isTrusted = compile([...trustProxy]);
  app.decorateRequest('clientAddress', '');
  app.addHook('onRequest', (request, _reply, done) => {
    request.clientAddress = clientAddress(request.raw, isTrusted);
    done();
  });
}

function clientAddress({ headers, socket }: IncomingMessage, isTrusted: ReturnType<typeof compile>): string {
  let address = plainAddress(socket.remoteAddress ?? '') ?? 'unknown';
  const nodes = String(headers['x-forwarded-for'] ?? '').split(',');
  for (const [hop, node] of nodes.reverse().entries()) {
    const next = isTrusted(address, hop) ? plainAddress(node) : undefined;
    if (next === undefined) break;
    address = next;
  }
  return address;
}
