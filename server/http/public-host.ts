import { lookup as lookupWithSystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True for an address that belongs to nobody's private network, host or link (IANA special-purpose registries). */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/**
 * A lookup for connections to hosts that users name: every address of the name must be public. The check belongs here and not
 * before the request, as the name may lead elsewhere a moment later (DNS rebinding).
 */
export function publicLookup(lookup: typeof lookupWithSystem = lookupWithSystem): LookupFunction {
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
