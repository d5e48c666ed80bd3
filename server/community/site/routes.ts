import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { sitemapRoutes } from '../../../shared/routes/site.ts';
import { implement } from '../../http/implement.ts';
import { callerOf, mayPublish, type Publishers } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { AskIdentity } from '../auth/owner-rights.ts';
import type { Db } from '../schema.ts';
import { readFilled, readRange, readRanges } from './store.ts';

type Options = {
  db: Db;
  publishers: Publishers;
  /** Calls the user service, to learn whether it sends mail. */
  ask: AskIdentity;
  /** True if the protocol page shows the deployment's own texts; null if another program serves it. */
  hasOwnProtocol: boolean | null;
};

/** Sitemap data for the gateway, the caller's role, and the administrators' checklist of the site. */
export function siteRoutes(app: FastifyInstance, guards: Guards, options: Options): void {
  const { db, publishers, ask, hasOwnProtocol } = options;
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
    const [filled, mail] = await Promise.all([readFilled(db), sendsMail(ask)]);
    return { ...filled, protocol: hasOwnProtocol, mail };
  });
}

/**
 * Asks our own user service, which offers a password reset by mail if it sends mail.
 * @returns null without local passwords, for another user service, or if it is unavailable
 */
async function sendsMail(ask: AskIdentity): Promise<boolean | null> {
  const { method, path, data } = contract.readSignInOptions;
  try {
    const { reset } = await ask({ method, path: path.slice(1), bearer: 'none' }, data, {});
    return reset === null ? null : reset === 'mail';
  } catch {
    return null;
  }
}
