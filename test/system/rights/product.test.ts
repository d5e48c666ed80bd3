import t from 'tap';
import type { Db } from '../../../server/community/schema.ts';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../shared/constants.ts';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { addSubmission } from '../../community/add-submission.ts';
import { requestOf, type Subject } from '../../rights/requests.ts';
import { CALLERS, type CallerName, contradictionOf, RIGHTS } from '../../rights/table.ts';
import type { Browser, Received } from '../../support/browser.ts';
import { type TestCommunity, testCommunity } from '../../support/community.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';

/** Gateway, community and identity over HTTP, as pages and command lines call them. */
async function startSite(publishers: 'admins' | 'members') {
  let community: TestCommunity | undefined;
  const site = await startBoth(t, {
    settings: { RATE_LIMIT_FACTOR: '0', PUBLISHERS: publishers },
    community: async (identityUrl) => {
      community = await testCommunity(t, {
        publishers,
        identityUrl,
        jwksUrl: identityUrl + JWKS_PATH,
      });
      return community.url;
    },
  });
  if (!community) throw new Error('no community was started');
  return { ...site, community };
}
const sites = { admins: await startSite('admins'), members: await startSite('members') };

type Account = {
  site: (typeof sites)['members'];
  role: 0 | 1 | 2;
  user: Awaited<ReturnType<typeof createUser>>;
};

async function createUser(site: (typeof sites)['members'], role: 0 | 1 | 2) {
  await site.db.deleteFrom('attempt').execute();
  const user = await site.newPerson();
  await site.db.updateTable('account').set({ role }).where('user_id', '=', user.userId).execute();
  return user;
}
async function account(name: 'admins' | 'members', role: 0 | 1 | 2): Promise<Account> {
  return { site: sites[name], role, user: await createUser(sites[name], role) };
}
const owner = await account('members', ROLE_USER);
const ACCOUNTS: Readonly<Record<Exclude<CallerName, 'visitor' | 'token'>, Account>> = {
  member: await account('admins', ROLE_USER),
  publisher: await account('members', ROLE_USER),
  owner,
  admin: await account('members', ROLE_ADMIN),
  super: await account('members', ROLE_SUPER_ADMIN),
};
const browsers = new Map<CallerName, Browser>();

/** Calls that end their own session. */
const ENDING = new Set(['POST /api/auth/logout', 'POST /user/session/sign_out_others']);
/** Opened by a browser as a page or fetched as a file. */
const OPENED =
  /^GET \/(api\/auth\/(login|callback)$|api\/docs|api\/openapi|api\/cmt\/media|api\/cmt\/plugin\/share|user\/sso)/;

async function browserOf(caller: CallerName): Promise<Browser> {
  if (caller === 'visitor' || caller === 'token') return sites.members.gateway.browser();
  const known = browsers.get(caller);
  if (known) return known;
  const { site, user } = ACCOUNTS[caller];
  await site.db.deleteFrom('attempt').execute();
  const browser = await site.signedIn(user.email, user.password);
  browsers.set(caller, browser);
  return browser;
}

/** Publisher on the site of `member`: accounts of the two sites have the same ids, so this must be none of them. */
const OTHER_PUBLISHER = 1_000_000;
let serial = 0;
async function createSubject(db: Db, publisherId: number, token_id: number): Promise<Subject> {
  serial += 1;
  const plugin_key = `published-${serial}`;
  const waiting_key = `waiting-${serial}`;
  await addPlugin(db, { key: plugin_key, publisherId });
  const waiting = await addPlugin(db, { key: waiting_key, publisherId, auditStatus: 1 });
  const submission_id = await addSubmission(db, { pluginId: waiting, createdBy: publisherId });
  return { plugin_key, waiting_key, submission_id, token_id };
}

/** A new publish token of the owner. */
async function newToken(): Promise<{ id: number; secret: string }> {
  await sites.members.community.pool.query('delete from publish_token');
  const browser = await browserOf('owner');
  const body = JSON.stringify({ name: 'CI', password: owner.user.password });
  const { data } = (await browser.call('/api/cmt/plugin/token', { method: 'POST', body })).json();
  return { id: Number(Object(data.token).id), secret: String(data.secret) };
}

async function send(caller: CallerName, call: string, variant: string | undefined): Promise<Received> {
  const site = caller === 'member' ? sites.admins : sites.members;
  const wantsToken = caller === 'token' || call === 'DELETE /api/cmt/plugin/token';
  const token = wantsToken && caller !== 'member' ? await newToken() : { id: 1, secret: '' };
  const publisherId = caller === 'member' ? OTHER_PUBLISHER : owner.user.userId;
  const about = await createSubject(site.community.db, publisherId, token.id);
  const { method, path, body } = requestOf(call, variant, about);
  const browser = await browserOf(caller);
  const form = body instanceof FormData ? new Response(body) : undefined;
  const headers = {
    ...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
    ...(caller === 'token' && { authorization: `Bearer ${token.secret}` }),
  };
  const answer = OPENED.test(call)
    ? await browser.visit(path, { site: 'same-origin', headers })
    : await browser.call(path, {
        method,
        headers,
        body: form ? Buffer.from(await form.arrayBuffer()) : typeof body === 'string' ? body : undefined,
      });
  if (ENDING.has(call)) browsers.delete(caller);
  return answer;
}

/** Answer to a missing permission, as opposed to a missing or invalid subject. */
const REFUSAL = /"code":"(UNAUTHENTICATED|TOKEN_INVALID|SESSION_ENDED|FORBIDDEN|CSRF_REFUSED)"/;

for (const { call, variant, outcomes } of RIGHTS) {
  t.test(`${call}${variant ? ` (${variant})` : ''}, called through the gateway`, async (t) => {
    const wrong: string[] = [];
    for (const caller of CALLERS) {
      // The gateway drops a publish token from all other calls, which are then those of a visitor.
      const isToken = caller === 'token' && outcomes.token !== 'ok';
      const expected = isToken ? outcomes.visitor : outcomes[caller];
      const { status, text } = await send(caller, call, variant);
      wrong.push(...contradictionOf(caller, expected, { status, text, isRefused: REFUSAL.test(text) }));
    }
    t.strictSame(wrong, []);
  });
}
