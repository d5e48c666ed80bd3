import { hash } from 'node:crypto';

export type SharedName = 'revoked' | 'revoked-all' | 'used' | 'newest' | 'lock' | 'count' | 'session';

/**
 * Name of an entry: what it is about is hashed, because ids of sessions, users and sign-ins are nobody's business
 * there. The braces keep the entries of one session on one node of a cluster.
 */
export function sharedName(kind: SharedName, about: string): string {
  return `plugin-square:{${hash('sha256', about, 'base64url')}}:${kind}`;
}
