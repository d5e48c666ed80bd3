import { randomBytes } from 'node:crypto';
import t from 'tap';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { startStub } from '../../support/stub-upstream.ts';
import { scriptUserService } from '../../support/user-service.ts';
import { startClients } from './support/clients.ts';
import { type LoadBalancer, startLoadBalancer } from './support/load-balancer.ts';
import { isFull, record } from './support/results.ts';
import { signInOn } from './support/user.ts';

type Test = Parameters<Parameters<typeof t.test>[0]>[0];
type Settings = Readonly<Record<string, string>>;

const PUBLIC_URL = 'http://localhost:8080';
/** Longer than the load balancer takes to notice a program that is not ready. */
const SHUTDOWN_DELAY = '1s';
const PLUGIN = 'colour-steps';
const ADMIN = { email: 'admin@example.org', password: 'violet-umbrella-tram-9' };

type Pair = { balancer: LoadBalancer; restart(count?: number): Promise<void> };

/** Two programs with the same settings behind a load balancer. `restart` restarts one after the other. */
async function openPair(t: Test, settings: Settings): Promise<Pair> {
  const all = { ...settings, PUBLIC_URL, SHUTDOWN_DELAY };
  const programs: Program[] = await Promise.all([startProgram(all), startProgram(all)]);
  const balancer = await startLoadBalancer(t);
  t.teardown(() => Promise.all(programs.map((program) => program.stop())));
  balancer.serve(programs);
  await Promise.all(programs.map(balancer.ready));
  return {
    balancer,
    async restart(count = programs.length) {
      for (const [index, program] of programs.slice(0, count).entries()) {
        await program.stop();
        const next = await startProgram(all);
        programs[index] = next;
        balancer.serve(programs);
        await balancer.ready(next);
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

/** Visitors, and a user who reads and writes. */
function startVisitors(balancer: LoadBalancer, browser: Browser, visitors: number) {
  const anonymous = openBrowser(balancer.url, PUBLIC_URL);
  const praise = (index: number) => JSON.stringify({ plugin_key: PLUGIN, praise: index % 8 < 4 ? 1 : -1 });
  const actions: ((index: number) => ReturnType<Browser['call']>)[] = [
    (index) => anonymous.visit(`/plugins/protocol?round=${index}`),
    (index) => anonymous.call(`/api/cmt/plugin/list?keyword=b${index}`),
    (index) => browser.call('/api/cmt/plugin/user/praise', { method: 'POST', body: praise(index) }),
    () => browser.call(`/api/cmt/plugin?plugin_key=${PLUGIN}`),
  ];
  return startClients(
    async (index) => {
      const answer = await actions[index % actions.length]?.(index);
      return answer?.status === 200 ? '200' : `${answer?.status} ${answer?.text.slice(0, 80)}`;
    },
    { visitors, pause: 10 },
  );
}

t.test('one of two gateways is restarted: no request fails', async (t) => {
  const [community, identity] = [await startStub(t), await startStub(t)];
  scriptUserService(identity);
  community.otherwise(() => ({ done: true }));
  const { balancer, restart } = await openPair(t, gatewaySettings(community.url, identity.url));
  const browser = openBrowser(balancer.url, PUBLIC_URL);
  t.equal((await browser.signIn()).status, 303);
  const visitors = startVisitors(balancer, browser, 4);
  await restart();
  const lost = await visitors.stop('200');
  t.ok((visitors.outcomes['200'] ?? 0) > 100, `${visitors.outcomes['200']} requests`);
  t.strictSame(Object.keys(visitors.outcomes), ['200']);
  t.equal(lost, 0);
});

/** Identity, two communities and two gateways on a real database. */
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
  const gateways = await openPair(t, gatewaySettings(communities.balancer.url, identity.origin));
  const browser = openBrowser(gateways.balancer.url, PUBLIC_URL);
  t.equal((await signInOn(browser, ADMIN)).status, 303);

  const visitors = startVisitors(gateways.balancer, browser, 8);
  for (let round = 0; round < 2; round += 1) {
    await gateways.restart();
    await communities.restart();
  }
  const lost = await visitors.stop('200');
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

if (isFull) t.test('all but identity are restarted one after the other', restartAll);
