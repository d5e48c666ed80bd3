import t from 'tap';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import type { Browser, Received } from '../../support/browser.ts';
import { testCommunity } from '../../support/community.ts';
import { startGateway } from '../../support/gateway.ts';
import { PUBLIC_URL, signUp, testIdentity } from '../../support/identity.ts';
import { portOf } from '../../support/port.ts';
import { GATEWAY_TO_COMMUNITY, GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { startClients, waitForRecovery } from './support/clients.ts';
import { type FaultyProxy, type NetworkFault, startFaultyProxy } from './support/faulty-proxy.ts';
import { isFull, record } from './support/results.ts';
import { signInOn } from './support/user.ts';

const SLOW = isFull ? 5000 : 300;
/** Offsets in bytes inside the response head, and inside a body in several chunks. */
const IN_HEAD = 30;
const IN_BODY = 600;
const ELEVEN_MINUTES = 11 * 60_000;
const PLUGIN = 'colour-steps';

type Test = Parameters<typeof startGateway>[0] & { teardown(work: () => Promise<void> | void): void };
type Site = Awaited<ReturnType<typeof openSite>>;

/** A call that needs one of the services. */
const CALLS: Record<'community' | 'identity', (site: Site, browser: Browser) => Promise<Received>> = {
  community: (_site, browser) => browser.call(`/api/cmt/plugin?plugin_key=${PLUGIN}`),
  identity: (_site, browser) => browser.call('/api/auth/userinfo'),
};
/** A call that needs only the other service and must keep working. */
const OTHERS: typeof CALLS = { community: CALLS.identity, identity: CALLS.community };

type Fault = { what: string; networkFault: NetworkFault; status: number; code: string; logged: RegExp };

const FAULTS: Fault[] = [
  {
    what: 'unreachable',
    networkFault: { kind: 'refuse' },
    status: 502,
    code: 'UPSTREAM_UNAVAILABLE',
    logged: /ECONNREFUSED/,
  },
  {
    what: 'reset in the middle of a response',
    networkFault: { kind: 'cut', after: IN_HEAD },
    status: 502,
    code: 'UPSTREAM_UNAVAILABLE',
    logged: /ECONNRESET|other side closed/,
  },
  {
    what: 'sends random bytes',
    networkFault: { kind: 'garbage' },
    status: 502,
    code: 'UPSTREAM_INVALID',
    logged: /HTTP/,
  },
];

/** Clients of pages, and of calls that need only the other service. */
function startOtherClients(site: Site, service: keyof typeof CALLS, browser: Browser) {
  return startClients(
    async (index) => {
      const answer =
        index % 2 === 0
          ? await site.gateway.browser().visit(`/plugins/?round=${index}`)
          : await OTHERS[service](site, browser);
      return String(answer.status);
    },
    { visitors: 2, pause: 50 },
  );
}

t.test('the network to a service', async (t) => {
  const site = await openSite(t);
  const { gateway } = site;
  const browser = gateway.browser();
  t.equal((await site.signIn(browser)).status, 303);
  const proxies: Record<string, FaultyProxy> = {
    community: site.communityProxy,
    identity: site.identityProxy,
  };
  const errorsSince = (start: number) =>
    gateway
      .lines()
      .slice(start)
      .filter(({ level }) => level === 'error');

  for (const service of ['community', 'identity'] as const) {
    const proxy = proxies[service];
    const ask = () => CALLS[service](site, browser);
    t.equal((await ask()).status, 200);
    t.equal((await OTHERS[service](site, browser)).status, 200);

    for (const { what, networkFault, status, code, logged } of FAULTS) {
      await t.test(`${service}: ${what}`, async (t) => {
        const start = gateway.lines().length;
        const others = startOtherClients(site, service, browser);
        await proxy?.set(networkFault);
        const answer = await ask();
        t.hasStrict({ status: answer.status, body: answer.json() }, { status, body: { code } });
        const [line, ...more] = errorsSince(start);
        t.match(line, { msg: 'request failed', code, err: { message: logged } });
        t.strictSame(more, [], 'logged once for each request');
        if (service === 'identity') {
          const refused = await site.signIn(gateway.browser());
          t.hasStrict({ status: refused.status, body: refused.json() }, { status, body: { code } });
        }
        await proxy?.set({ kind: 'pass' });
        const seconds = await waitForRecovery(async () => (await ask()).status === 200);
        const lost = await others.stop('200');
        t.strictSame(Object.keys(others.outcomes), ['200'], 'other clients are not affected');
        record({
          fault: `${service}: ${what}`,
          seen: `${status} ${code} from calls that need the service; pages are shown without its data`,
          logged: `error "request failed" with \`code\` and \`err\`, for each such call`,
          lost,
          recovery_seconds: seconds,
        });
      });
    }

    await t.test(`${service}: slow`, async (t) => {
      const others = startOtherClients(site, service, browser);
      await proxy?.set({ kind: 'slow', by: SLOW });
      t.equal((await ask()).status, 200, 'a slow answer is awaited');
      if (service === 'identity') t.equal((await site.signIn(gateway.browser())).status, 303);
      await proxy?.set({ kind: 'pass' });
      const seconds = await waitForRecovery(async () => (await ask()).status === 200);
      const lost = await others.stop('200');
      t.strictSame(Object.keys(others.outcomes), ['200']);
      record({
        fault: `${service}: ${SLOW / 1000} s slow`,
        seen: 'calls are slow; pages are shown after at most two seconds, without the missing data',
        logged: '`upstream.total_ms` in the request lines',
        lost,
        recovery_seconds: seconds,
      });
    });
  }

  await t.test('a truncated answer is not logged as a client abort', async (t) => {
    const start = gateway.lines().length;
    await site.communityProxy.set({ kind: 'cut', after: IN_BODY });
    await t.rejects(CALLS.community(site, browser), { code: 'ECONNRESET' });
    await site.communityProxy.set({ kind: 'pass' });
    const requestLine = () =>
      gateway
        .lines()
        .slice(start)
        .find(({ msg }) => msg === 'request');
    await waitForRecovery(async () => requestLine() !== undefined);
    const line = requestLine();
    t.hasStrict(errorsSince(start), [{ msg: 'upstream response truncated', code: 'UPSTREAM_UNAVAILABLE' }]);
    t.hasStrict(line, { code: 'UPSTREAM_UNAVAILABLE', upstream: { name: 'community', cut: true } });
    t.notOk(line && 'client_aborted' in line, 'no client abort');
    t.equal((await CALLS.community(site, browser)).status, 200);
  });
});

t.test('identity unavailable before its keys were read: 503, then recovery', async (t) => {
  const site = await openSite(t);
  const browser = site.gateway.browser();
  t.equal((await site.signIn(browser)).status, 303);
  await site.identityProxy.set({ kind: 'refuse' });
  const answer = await CALLS.community(site, browser);
  t.hasStrict(
    { status: answer.status, body: answer.json() },
    { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } },
  );
  t.equal((await site.gateway.browser().visit('/plugins/')).status, 200);
  await site.identityProxy.set({ kind: 'pass' });
  const seconds = await waitForRecovery(async () => (await CALLS.community(site, browser)).status === 200);
  record({
    fault: 'identity: unreachable when a community service starts',
    seen: '503 SERVICE_UNAVAILABLE for signed-in users; visitors notice nothing',
    logged: 'error "request failed" of the community service',
    lost: 0,
    recovery_seconds: seconds,
  });
});

t.test('identity unavailable for longer than its keys stay fresh: sessions still work', async (t) => {
  const site = await openSite(t);
  const browser = site.gateway.browser();
  t.equal((await site.signIn(browser)).status, 303);
  t.equal((await CALLS.community(site, browser)).status, 200);
  await site.identityProxy.set({ kind: 'refuse' });
  const clock = Date.now;
  Date.now = () => clock() + ELEVEN_MINUTES;
  t.teardown(() => {
    Date.now = clock;
  });
  for (let round = 0; round < 3; round += 1) t.equal((await CALLS.community(site, browser)).status, 200);
});

/** A gateway, a community and an identity service that reach each other through faulty proxies. */
async function openSite(t: Test) {
  const identityAddress = { host: '127.0.0.1', port: 0 };
  const identityProxy = await startFaultyProxy(t, identityAddress);
  const community = await testCommunity(t, {
    jwksUrl: `${identityProxy.url}${JWKS_PATH}`,
    identityUrl: identityProxy.url,
  });
  const communityProxy = await startFaultyProxy(t, {
    host: '127.0.0.1',
    port: Number(new URL(community.url).port),
  });
  const gateway = await startGateway(t, {
    settings: { PUBLIC_URL, RATE_LIMIT_FACTOR: '0' },
    credentials: { community: GATEWAY_TO_COMMUNITY, identity: GATEWAY_TO_IDENTITY },
    upstreams: { community: communityProxy.url, identity: identityProxy.url },
  });
  const identity = await testIdentity(t, { gatewayUrl: gateway.url });
  await identity.app.listen({ host: '127.0.0.1', port: 0 });
  identityAddress.port = portOf(identity.app.server);
  await addPlugin(community.db, {
    key: PLUGIN,
    name: { 'en-US': 'Colour steps' },
    description: { 'en-US': 'Steps of a colour. '.repeat(2000) },
  });
  const user = await signUp(identity.app);

  const signIn = (browser: Browser) => signInOn(browser, user);
  return { gateway, community, communityProxy, identityProxy, signIn };
}
