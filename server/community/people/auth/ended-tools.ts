import type { FastifyInstance } from 'fastify';
import { EndedTools, toolCalls } from '../../../../shared/identity-calls.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { AskIdentity } from './owner-rights.ts';

/** Milliseconds between two questions, and at most after failures. */
const INTERVAL = 2000;
const INTERVAL_MAX = 30_000;
/** Milliseconds by which questions overlap: a session may be ended in a transaction that commits later. */
const OVERLAP = 60_000;
/** Milliseconds for which a token may still be valid, with the difference of clocks. */
const MEMORY = 17 * 60_000;

/** Of an access token of a tool; `issuedAt` in milliseconds since 1970. */
export type ToolToken = { sid: string; clientId: string; issuedAt: number };

/**
 * Which tools have lost their access since their tokens were issued: signatures do not say it. The user service tells it every
 * two seconds; while it does not, tokens are valid for the rest of their 15 minutes.
 */
export type EndedToolList = {
  has(token: ToolToken): boolean;
  /** Asks for what has ended since the last time. @throws SERVICE_UNAVAILABLE */
  update(ask: AskIdentity): Promise<void>;
};

export function createEndedToolList(now: () => number): EndedToolList {
  /** When to forget a session, by its id. */
  const sessions = new Map<string, number>();
  /** When a tool was last removed, by its id. */
  const removed = new Map<string, { at: number; forgetAt: number }>();
  /** By the clock of the user service. */
  let since = 0;
  function forget(): void {
    const at = now();
    for (const [sid, forgetAt] of sessions) if (forgetAt <= at) sessions.delete(sid);
    for (const [clientId, { forgetAt }] of removed) if (forgetAt <= at) removed.delete(clientId);
  }
  return {
    has({ sid, clientId, issuedAt }) {
      const removal = removed.get(clientId);
      return sessions.has(sid) || (removal !== undefined && issuedAt <= removal.at);
    },
    async update(ask) {
      forget();
      for (;;) {
        const { sid_list, client_list, next, has_more } = await ask(toolCalls.ended, EndedTools, {
          body: { since },
        });
        const forgetAt = now() + MEMORY;
        for (const sid of sid_list) if (!sessions.has(sid)) sessions.set(sid, forgetAt);
        for (const { client_id, removed_at } of client_list)
          removed.set(client_id, { at: removed_at, forgetAt });
        since = has_more ? next : Math.max(0, next - OVERLAP);
        if (!has_more) return;
      }
    },
  };
}

/** Keeps the list up to date while the app listens. */
export function followEndedTools(app: FastifyInstance, list: EndedToolList): void {
  const { identityClient: ask, log } = app;
  repeatWhileListening(app, {
    every: INTERVAL,
    longest: INTERVAL_MAX,
    log,
    failed: 'ended sessions of tools could not be read; their tokens are valid for up to 15 minutes',
    recovered: 'ended sessions of tools are read again',
    async run() {
      await list.update(ask);
      return undefined;
    },
  });
}
