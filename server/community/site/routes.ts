import type { FastifyInstance } from 'fastify';
import { Check } from 'typebox/value';
import { contract } from '../../../shared/contract.ts';
import { sitemapRoutes } from '../../../shared/routes/site.ts';
import { implement } from '../../http/implement.ts';
import { createOutgoingFetch } from '../../http/outgoing.ts';
import { callerOf, mayPublish, type Publishers } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { readFilled, readRange, readRanges } from './store.ts';

type Options = {
  db: Db;
  publishers: Publishers;
  /** Base URL of the user service, or an empty text. */
  identityUrl: string;
  ca: string | undefined;
  /** Milliseconds for the user service to report whether it sends mail. */
  timeout: number;
  /** True if the protocol page shows the deployment's own texts; null if another program serves it. */
  hasOwnProtocol: boolean | null;
};

/** Sitemap data for the gateway, the caller's role, and the administrators' checklist of the site. */
export function siteRoutes(app: FastifyInstance, guards: Guards, options: Options): void {
  const { db, publishers, identityUrl, ca, timeout, hasOwnProtocol } = options;
  const send = createOutgoingFetch({ ca, timeout });
  implement(app, guards.user, contract.verifyUser, ({ request }) => {
    const caller = callerOf(request);
    return { ...caller, may_publish: mayPublish(caller, publishers) };
  });
  implement(app, guards.all, sitemapRoutes.listSitemapRanges, async () => ({
    range_list: await readRanges(db),
  }));
  implement(app, guards.all, sitemapRoutes.listSitemapPlugins, async ({ query }) => {
    const rows = await readRange(db, query.range);
    return {
      plugin_list: rows.map(({ plugin_key, updated_at }) => ({
        plugin_key,
        updated_at: updated_at.toISOString(),
      })),
    };
  });
  implement(app, guards.admin, contract.readChecklist, async () => {
    const [filled, mail] = await Promise.all([readFilled(db), sendsMail(send, identityUrl)]);
    return { ...filled, protocol: hasOwnProtocol, mail };
  });
}

/**
 * Asks our own user service, which offers a password reset by mail if it sends mail.
 * @returns null without local passwords, for another user service, or if it is unavailable
 */
async function sendsMail(
  send: ReturnType<typeof createOutgoingFetch>,
  identityUrl: string,
): Promise<boolean | null> {
  if (identityUrl === '') return null;
  const { path, data: schema } = contract.readSignInOptions;
  try {
    const response = await send(`${identityUrl}${path}`, {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    const answer: unknown = await response.json();
    const data: unknown = Object(answer).data;
    if (!response.ok || !Check(schema, data) || data.reset === null) return null;
    return data.reset === 'mail';
  } catch {
    return null;
  }
}
