import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { ENDED_AT_ONCE, type EndedTools, toolCalls } from '../../../shared/identity-calls.ts';
import { implementOpenCall } from '../calls.ts';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import { readEndedSessions, readRemovedTools } from './tool-store.ts';

/** Milliseconds for which a token may still be valid: clocks may differ by a minute. */
const TOKEN_LIFETIME_MAX = ACCESS_TOKEN_LIFETIME + 60_000;

/**
 * Which tools have lost their access, for services that check signatures alone. A removed tool is one entry, however many
 * people had it.
 */
export function serveEndedTools(app: FastifyInstance): void {
  const { db, now } = app.identity;
  implementOpenCall(app, toolCalls.ended, async ({ body }) => {
    const at = now();
    const since = new Date(Math.max(body.since, at - TOKEN_LIFETIME_MAX));
    const [sessions, clients] = await Promise.all([
      readEndedSessions(db, since, ENDED_AT_ONCE),
      readRemovedTools(db, since),
    ]);
    const last = sessions.length < ENDED_AT_ONCE ? undefined : sessions.at(-1)?.revoked_at?.getTime();
    return {
      sid_list: sessions.map(({ sid }) => sid),
      client_list: clients.map(({ client_id, removed_at }) => ({
        client_id,
        removed_at: removed_at.getTime(),
      })),
      next: last ?? at,
      // Not if all of a page have ended at once: it would come again.
      has_more: last !== undefined && last > since.getTime(),
    } satisfies Static<typeof EndedTools>;
  });
}
