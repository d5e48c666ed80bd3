import { type Static, Type } from 'typebox';
import { Nullable, PluginKey, REQUIRED, Timestamp } from './base.ts';

/** What an entry of the log says: `revoke` takes an approval back, `restore` ends a withdrawal. */
export const LOG_KINDS = ['approve', 'revoke', 'withdraw', 'restore'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** A SHA-256 in hexadecimal. */
export const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', ...REQUIRED });

/** An entry of the log of approvals and withdrawals. */
export const LogEntry = Type.Object({
  /** From 1 without gaps. */
  sequence: Type.Integer({ minimum: 1, ...REQUIRED }),
  at: Timestamp,
  kind: Type.Enum(LOG_KINDS),
  plugin_key: PluginKey,
  /** Null for the whole plugin. */
  version: Nullable(Type.String()),
  /** Of the package; null without one. */
  digest: Nullable(Digest),
  /** Hash of the entry before; 64 zeros for the first one. */
  previous_hash: Digest,
  /** SHA-256 of the other fields as canonical JSON (RFC 8785). */
  hash: Digest,
});
export type LogEntry = Static<typeof LogEntry>;

/** The end of a log. */
export type LogHead = Pick<LogEntry, 'sequence' | 'hash'>;
