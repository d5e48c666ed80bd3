import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { sitemapRoutes } from '../../../../shared/routes/site.ts';
import { implement } from '../../../http/implement.ts';
import { callerOf } from '../../people/auth/caller.ts';
import type { AskIdentity } from '../../people/auth/owner-rights.ts';
import { canPublish } from '../../people/policy.ts';
import { readFilled, readRange, readRanges } from './store.ts';

/** Sitemap data for the gateway, the caller's role, and the administrators' checklist of the site. */
export function siteRoutes(app: FastifyInstance): void {
  const { db, clock: now, community } = app;
  const { publishers, siteSettings: settings, askMailSetting: ask } = community;
  implement(app, contract.verifyUser, ({ request }) => {
    const caller = callerOf(request);
    return { ...caller, may_publish: canPublish(caller, publishers) };
  });
  implement(app, sitemapRoutes.listSitemapRanges, async () => ({
    range_list: await readRanges(db),
  }));
  implement(app, sitemapRoutes.listSitemapPlugins, async ({ query }) => {
    const rows = await readRange(db, query.range);
    return {
      plugin_list: rows.map(({ plugin_key, updated_at }) => ({
        plugin_key,
        updated_at: updated_at.toISOString(),
      })),
    };
  });
  implement(app, contract.readChecklist, async () => {
    const [filled, signIn] = await Promise.all([readFilled(db, now()), readSignIn(ask)]);
    return {
      ...filled,
      ...(settings ?? { protocol: null, brand: null, site_url: null, app_url: null }),
      members: filled.members || (signIn?.methods.some(({ method }) => method !== 'local') ?? null),
      // Our own user service offers a password reset by mail if it sends mail; there is none without local passwords.
      mail: signIn?.reset ? signIn.reset === 'mail' : null,
    };
  });
}

/** @returns null for another user service, or if it is unavailable */
async function readSignIn(ask: AskIdentity) {
  const { method, path, data } = contract.readSignInOptions;
  try {
    return await ask({ method, path: path.slice(1), bearer: 'none' }, data, {});
  } catch {
    return null;
  }
}
