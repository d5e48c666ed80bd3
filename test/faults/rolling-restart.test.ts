import { randomBytes } from 'node:crypto';
import t from 'tap';
import type { CommunityTables } from '../../server/community/schema.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { addPlugin } from '../community/add-plugin.ts';
import { type Browser, loginParameters, openBrowser } from '../support/browser.ts';
import { testFolder } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startStub } from '../support/stub-upstream.ts';
import { scriptUserService } from '../support/user-service.ts';
import { type Front, openFront } from './support/front.ts';
import { isFull, record } from './support/results.ts';
import { crowd } from './support/visitors.ts';

type Test = Parameters<Parameters<typeof t.test>[0]>[0];
type Settings = Readonly<Record<string, string>>;

const PUBLIC_URL = 'http://localhost:8080';
/** Longer than the front takes to see that somebody is no longer ready. */
const SHUTDOWN_DELAY = '1s';
const PLUGIN = 'colour-steps';
const ADMIN = { email: 'admin@example.org', password: 'violet-umbrella-tram-9' };
const OWN = { 'x-requested-with': 'plugin-square' };

type Pair = { front: Front; restart(count?: number): Promise<void> };

/** Two programs of the same settings behind a front; one after the other is restarted. */
async function openPair(t: Test, settings: Settings): Promise<Pair> {
  const all = { ...settings, PUBLIC_URL, SHUTDOWN_DELAY };
  const programs: Program[] = await Promise.all([startProgram(all), startProgram(all)]);
  const front = await openFront(t);
  t.teardown(() => Promise.all(programs.map((program) => program.stop())));
  front.serve(programs);
  await Promise.all(programs.map(front.ready));
  return {
    front,
    async restart(count = programs.length) {
      for (const [index, program] of programs.slice(0, count).entries()) {
        await program.stop();
        const next = await startProgram(all);
        programs[index] = next;
        front.serve(programs);
        await front.ready(next);
      }
    },
  };
}

const gatewaySettings = (community: string, identity: string): Settings => ({
  ROLE: 'gateway',
  COMMUNITY_URL: community,
  IDENTITY_URL: identity,
  SESSION_KEYS: randomBytes(32).toString('base64url'),
  RATE_LIMIT_FACTOR: '0',
});

/** Visitors and somebody signed in, who reads and writes. */
function visit(front: Front, browser: Browser, visitors: number) {
  const anonymous = openBrowser(front.url, PUBLIC_URL);
  const praise = (index: number) => JSON.stringify({ plugin_key: PLUGIN, praise: index % 8 < 4 ? 1 : -1 });
  const acts: ((index: number) => ReturnType<Browser['call']>)[] = [
    (index) => anonymous.visit(`/plugins/protocol?round=${index}`),
    (index) => anonymous.call(`/api/cmt/plugin/list?keyword=b${index}`),
    (index) => browser.call('/api/cmt/plugin/user/praise', { method: 'POST', body: praise(index) }),
    () => browser.call(`/api/cmt/plugin?plugin_key=${PLUGIN}`),
  ];
  return crowd(
    async (index) => {
      const answer = await acts[index % acts.length]?.(index);
      return answer?.status === 200 ? '200' : `${answer?.status} ${answer?.text.slice(0, 80)}`;
    },
    { visitors, breath: 10 },
  );
}

t.test('one of two gateways is restarted: no request fails', async (t) => {
  const [community, identity] = [await startStub(t), await startStub(t)];
  scriptUserService(identity);
  community.otherwise(() => ({ done: true }));
  const { front, restart } = await openPair(t, gatewaySettings(community.url, identity.url));
  const browser = openBrowser(front.url, PUBLIC_URL);
  t.equal((await browser.signIn()).status, 303);
  const visitors = visit(front, browser, 4);
  await restart();
  const lost = await visitors.leave('200');
  t.ok((visitors.outcomes['200'] ?? 0) > 100, `${visitors.outcomes['200']} requests`);
  t.strictSame(Object.keys(visitors.outcomes), ['200']);
  t.equal(lost, 0);
});

/** The whole: identity, two communities and two gateways on a real database. */
async function restartAll(t: Test): Promise<void> {
  const { url } = await testDatabase(t);
  const DATA_DIR = await testFolder(t);
  const service = { DATABASE_URL: url, DATA_DIR, SEED: 'none' };
  const identity = await startProgram({
    ...service,
    ROLE: 'identity',
    PUBLIC_URL,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  t.teardown(identity.stop);
  const communities = await openPair(t, { ...service, ROLE: 'community', IDENTITY_URL: identity.origin });
  const db = openKysely<CommunityTables>(
    openPool(url, { applicationName: 'test', schema: 'community', log: silentLog }),
  );
  await addPlugin(db, { key: PLUGIN, name: { 'en-US': 'Colour steps' } });
  await db.destroy();
  const gateways = await openPair(t, gatewaySettings(communities.front.url, identity.origin));
  const browser = openBrowser(gateways.front.url, PUBLIC_URL);
  t.equal(await signIn(browser), 303);

  const visitors = visit(gateways.front, browser, 8);
  for (let round = 0; round < 2; round += 1) {
    await gateways.restart();
    await communities.restart();
  }
  const lost = await visitors.leave('200');
  const answered = visitors.outcomes['200'] ?? 0;
  t.ok(answered > 1000, `${answered} requests`);
  t.strictSame(Object.keys(visitors.outcomes), ['200']);
  record({
    fault: 'rolling restart of two gateways and two communities, twice, under load',
    seen: `nothing; ${answered} requests were answered`,
    logged: 'info "closing" with `signal`',
    lost,
  });
}

async function signIn(browser: Browser): Promise<number> {
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
  const body = JSON.stringify({
    account: ADMIN.email,
    password: ADMIN.password,
    ...loginParameters(started),
  });
  const typed = await browser.call('/user/page/sign_in', { method: 'POST', headers: OWN, body });
  const { pathname, search } = new URL(String(typed.json().data.continue_to));
  return (await browser.visit(pathname + search, { site: 'same-origin' })).status;
}

if (isFull) t.test('all but identity are restarted one after the other', restartAll);
