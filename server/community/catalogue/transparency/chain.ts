import { createHash } from 'node:crypto';
import type { LogEntry, LogHead } from '../../../../shared/entities/transparency.ts';

/** The head of an empty log. */
export const EMPTY_LOG: LogHead = { sequence: 0, hash: '0'.repeat(64) };

/**
 * SHA-256 of an entry without its own hash, as canonical JSON (RFC 8785). Entries are flat, with texts, whole numbers and
 * null: for these, canonical JSON is what `JSON.stringify` writes for keys in their order.
 * @returns hexadecimal
 */
export function hashOf({ hash: _hash, ...entry }: Omit<LogEntry, 'hash'> & { hash?: string }): string {
  const canonical = JSON.stringify(entry, Object.keys(entry).toSorted());
  return createHash('sha256').update(canonical).digest('hex');
}
