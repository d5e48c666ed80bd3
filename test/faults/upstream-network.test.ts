import t from 'tap';
import type { Browser, Received } from '../support/browser.ts';
import type { Edge, Weather } from './support/edge.ts';
import { isFull, record } from './support/results.ts';
import { openSite, PLUGIN } from './support/site.ts';
import { crowd, healed } from './support/visitors.ts';

const SLOW = isFull ? 5000 : 300;
/** Bytes in the middle of a head, and in the middle of a body that passes in pieces. */
const IN_HEAD = 30;
const IN_BODY = 600;
const ELEVEN_MINUTES = 11 * 60_000;

type Site = Awaited<ReturnType<typeof openSite>>;

/** What somebody does who needs one of the services. */
const NEEDS: Record<'community' | 'identity', (site: Site, browser: Browser) => Promise<Received>> = {
  community: (_site, browser) => browser.call(`/api/cmt/plugin?plugin_key=${PLUGIN}`),
  identity: (_site, browser) => browser.call('/api/auth/userinfo'),
};
/** What needs the other one alone, and must go on. */
const OTHERS: typeof NEEDS = { community: NEEDS.identity, identity: NEEDS.community };

type Fault = { what: string; weather: Weather; status: number; code: string; logged: RegExp };

const FAULTS: Fault[] = [
  {
    what: 'away',
    weather: { kind: 'refuse' },
    status: 502,
    code: 'UPSTREAM_UNAVAILABLE',
    logged: /ECONNREFUSED/,
  },
  {
    what: 'reset mid-answer',
    weather: { kind: 'cut', after: IN_HEAD },
    status: 502,
    code: 'UPSTREAM_UNAVAILABLE',
    logged: /ECONNRESET|other side closed/,
  },
  {
    what: 'answers garbage',
    weather: { kind: 'garbage' },
    status: 502,
    code: 'UPSTREAM_INVALID',
    logged: /HTTP/,
  },
];

/** Pages, and calls that need the other service alone. */
function goingOn(site: Site, service: keyof typeof NEEDS, browser: Browser) {
  return crowd(
    async (index) => {
      const answer =
        index % 2 === 0
          ? await site.gateway.browser().visit(`/plugins/?round=${index}`)
          : await OTHERS[service](site, browser);
      return String(answer.status);
    },
    { visitors: 2, breath: 50 },
  );
}

t.test('the network to a service', async (t) => {
  const site = await openSite(t);
  const { gateway } = site;
  const browser = gateway.browser();
  t.equal((await site.signIn(browser)).status, 303);
  const edges: Record<string, Edge> = { community: site.communityEdge, identity: site.identityEdge };
  const errorsSince = (start: number) =>
    gateway
      .lines()
      .slice(start)
      .filter(({ level }) => level === 'error');

  for (const service of ['community', 'identity'] as const) {
    const edge = edges[service];
    const ask = () => NEEDS[service](site, browser);
    t.equal((await ask()).status, 200);
    t.equal((await OTHERS[service](site, browser)).status, 200);

    for (const { what, weather, status, code, logged } of FAULTS) {
      await t.test(`${service}: ${what}`, async (t) => {
        const start = gateway.lines().length;
        const others = goingOn(site, service, browser);
        await edge?.set(weather);
        const answer = await ask();
        t.hasStrict({ status: answer.status, body: answer.json() }, { status, body: { code } });
        const [line, ...more] = errorsSince(start);
        t.match(line, { msg: 'request failed', code, err: { message: logged } });
        t.strictSame(more, [], 'said once for each request');
        if (service === 'identity') {
          const refused = await site.signIn(gateway.browser());
          t.hasStrict({ status: refused.status, body: refused.json() }, { status, body: { code } });
        }
        await edge?.set({ kind: 'pass' });
        const seconds = await healed(async () => (await ask()).status === 200);
        const lost = await others.leave('200');
        t.strictSame(Object.keys(others.outcomes), ['200'], 'nobody else has noticed');
        record({
          fault: `${service}: ${what}`,
          seen: `${status} ${code} from calls that need it; pages are there, without what could not be read`,
          logged: `error "request failed" with \`code\` and \`err\`, for each such call`,
          lost,
          recovery_seconds: seconds,
        });
      });
    }

    await t.test(`${service}: slow`, async (t) => {
      const others = goingOn(site, service, browser);
      await edge?.set({ kind: 'slow', by: SLOW });
      t.equal((await ask()).status, 200, 'is waited for');
      if (service === 'identity') t.equal((await site.signIn(gateway.browser())).status, 303);
      await edge?.set({ kind: 'pass' });
      const seconds = await healed(async () => (await ask()).status === 200);
      const lost = await others.leave('200');
      t.strictSame(Object.keys(others.outcomes), ['200']);
      record({
        fault: `${service}: ${SLOW / 1000} s slow`,
        seen: 'answers as late; pages after two seconds at most, without what has not come',
        logged: '`upstream.total_ms` of the request lines',
        lost,
        recovery_seconds: seconds,
      });
    });
  }

  await t.test('an answer that breaks off: not the client is said to have left', async (t) => {
    const start = gateway.lines().length;
    await site.communityEdge.set({ kind: 'cut', after: IN_BODY });
    await t.rejects(NEEDS.community(site, browser), { code: 'ECONNRESET' });
    await site.communityEdge.set({ kind: 'pass' });
    const requestLine = () =>
      gateway
        .lines()
        .slice(start)
        .find(({ msg }) => msg === 'request');
    await healed(async () => requestLine() !== undefined);
    const line = requestLine();
    t.hasStrict(errorsSince(start), [{ msg: 'upstream response truncated', code: 'UPSTREAM_UNAVAILABLE' }]);
    t.hasStrict(line, { code: 'UPSTREAM_UNAVAILABLE', upstream: { name: 'community', cut: true } });
    t.notOk(line && 'client_aborted' in line, 'the client has not left');
    t.equal((await NEEDS.community(site, browser)).status, 200);
  });
});

t.test('identity away before its keys were read: 503, and as soon as it is there all is well', async (t) => {
  const site = await openSite(t);
  const browser = site.gateway.browser();
  t.equal((await site.signIn(browser)).status, 303);
  await site.identityEdge.set({ kind: 'refuse' });
  const answer = await NEEDS.community(site, browser);
  t.hasStrict(
    { status: answer.status, body: answer.json() },
    { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } },
  );
  t.equal((await site.gateway.browser().visit('/plugins/')).status, 200);
  await site.identityEdge.set({ kind: 'pass' });
  const seconds = await healed(async () => (await NEEDS.community(site, browser)).status === 200);
  record({
    fault: 'identity: away when a community service starts',
    seen: '503 SERVICE_UNAVAILABLE for who is signed in; visitors notice nothing',
    logged: 'error "request failed" of the community service',
    lost: 0,
    recovery_seconds: seconds,
  });
});

t.test('identity away for longer than its keys count as fresh: who is signed in goes on', async (t) => {
  const site = await openSite(t);
  const browser = site.gateway.browser();
  t.equal((await site.signIn(browser)).status, 303);
  t.equal((await NEEDS.community(site, browser)).status, 200);
  await site.identityEdge.set({ kind: 'refuse' });
  const clock = Date.now;
  Date.now = () => clock() + ELEVEN_MINUTES;
  t.teardown(() => {
    Date.now = clock;
  });
  for (let round = 0; round < 3; round += 1) t.equal((await NEEDS.community(site, browser)).status, 200);
});
