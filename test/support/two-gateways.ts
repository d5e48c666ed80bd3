import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type People, personOf, scriptPeople } from '../conformance/users.ts';
import { type Browser, openBrowser, type Received } from './browser.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { until } from './until.ts';

export const VISITORS = 20;

type Test = Parameters<typeof startGateway>[0];

type Asserting = Test & {
  strictSame(found: unknown, wanted: unknown, message: string): unknown;
  equal(found: unknown, wanted: unknown, message: string): unknown;
};

/** Access tokens of the stub user service are valid for 15 minutes. */
const EXPIRED = 16 * 60_000;

export type TwoGateways = {
  redis: TestRedis;
  gateways: [TestGateway, TestGateway];
  people: People;
  /** Advances the clocks of both gateways and the user service until every access token has expired. */
  expire(): void;
};

/** Two gateways with one real Redis and the same services. */
export async function openTwoGateways(t: Test, program: string): Promise<TwoGateways> {
  const redis = await startRedis(t, program);
  const keys = [randomBytes(32)];
  const settings = { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '0' };
  const first = await startGateway(t, { now: Date.now, settings, keys });
  const second = await startGateway(t, { now: Date.now, settings, keys, share: first });
  const people = scriptPeople(first.identity);
  first.community.otherwise((seen) => ({ person: personOf(seen) }));
  const gateways: [TestGateway, TestGateway] = [first, second];
  return {
    redis,
    gateways,
    people,
    expire() {
      people.ahead += EXPIRED;
      for (const { clock } of gateways) clock.ahead += EXPIRED;
    },
  };
}

/** The browser of a user behind a load balancer: requests to both gateways have the same cookies. */
export type Visitor = {
  person: number;
  call(gateway: number): Promise<Received>;
};

/** @param urls addresses of the gateways; the person signs in at one of them */
export async function visitorOf(
  urls: readonly string[],
  publicUrl: string,
  person: number,
): Promise<Visitor> {
  const browsers = urls.map((url) => openBrowser(url, publicUrl));
  const at = (gateway: number): Browser => {
    const browser = browsers[gateway % browsers.length];
    if (!browser) throw new Error('there is no gateway');
    return browser;
  };
  const share = ({ cookies }: Browser): void => {
    for (const other of browsers) for (const [name, value] of cookies) other.cookies.set(name, value);
  };
  await at(person).signIn({ code: `person-${person}` });
  share(at(person));
  return {
    person,
    async call(gateway) {
      const browser = at(gateway);
      const answer = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
      share(browser);
      return answer;
    },
  };
}

/** Result of a call: the user of the returned data, or the error with its retry header. */
export function outcomeOf({ status, headers, json }: Received): string {
  if (status === 200) return `200 of person ${json().data?.person}`;
  return status === 503 ? `503, retry after ${headers['retry-after']}` : `${status} ${json().code}`;
}

/** Retries while the response is 503. @returns the first other result */
export async function callUntilServed(visitor: Visitor, gateway: number): Promise<string> {
  return until(async () => {
    const answer = await visitor.call(gateway);
    return answer.status !== 503 && outcomeOf(answer);
  });
}

export async function signAllIn({ gateways }: TwoGateways): Promise<Visitor[]> {
  const urls = gateways.map(({ url }) => url);
  const persons = Array.from({ length: VISITORS }, (_none, index) => 100 + index);
  return Promise.all(persons.map((person) => visitorOf(urls, gateways[0].publicUrl, person)));
}

/** All users call both gateways at the same time. */
export function askBoth(visitors: readonly Visitor[]): Promise<string[]> {
  return Promise.all(
    visitors.flatMap((visitor) => [0, 1].map(async (gateway) => outcomeOf(await visitor.call(gateway)))),
  );
}

/** Results that are neither the user's data nor a 503 with Retry-After. */
export function wrongOf(outcomes: readonly string[]): string[] {
  return outcomes.filter((outcome) => !/^(200 of person \d+|503, retry after [1-9]\d*)$/.test(outcome));
}

/** All users call both gateways until they get data. @returns results that are not their own data */
export async function servedWrongly(visitors: readonly Visitor[]): Promise<string[]> {
  const outcomes = await Promise.all(
    visitors.flatMap((visitor) =>
      [0, 1].map(async (gateway) => ({ visitor, outcome: await callUntilServed(visitor, gateway) })),
    ),
  );
  return outcomes
    .filter(({ visitor, outcome }) => outcome !== `200 of person ${visitor.person}`)
    .map(({ outcome }) => outcome);
}

/** Delays the user service's responses after it has created new tokens; `allAsked` resolves when all refreshes wait. */
export function holdRefreshes(
  { people }: TwoGateways,
  count: number,
): { allAsked: Promise<void>; release(): void } {
  const allAsked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let waiting = 0;
  people.beforeRefreshed = () => {
    waiting += 1;
    if (waiting === count) allAsked.resolve();
    return released.promise;
  };
  return { allAsked: allAsked.promise, release: released.resolve };
}

/** Waits until every gateway has noticed whether Redis is available. */
export async function noticed(gateways: readonly TestGateway[], isUp: boolean): Promise<void> {
  for (const { registry } of gateways) {
    const figure = async () => (await registry.getSingleMetric('bff_redis_up')?.get())?.values[0]?.value;
    await until(async () => (await figure()) === (isUp ? 1 : 0));
  }
}

type Pause = { pause: number; rotates: boolean };

/** Redis hangs before the refresh: the lock cannot be acquired. */
export async function standStillBefore(
  t: Asserting,
  program: string,
  { pause, rotates }: Pause,
): Promise<void> {
  const site = await openTwoGateways(t, program);
  site.people.rotates = rotates;
  const visitors = await signAllIn(site);
  site.expire();
  site.redis.pause();
  const asked = askBoth(visitors);
  await delay(pause);
  site.redis.resume();
  await nobodyIsLost(t, site, visitors, await asked);
}

/** Redis hangs after the user service has created new tokens: they cannot be published. */
export async function standStillDuring(
  t: Asserting,
  program: string,
  { pause, rotates }: Pause,
): Promise<void> {
  const site = await openTwoGateways(t, program);
  site.people.rotates = rotates;
  const visitors = await signAllIn(site);
  site.expire();
  const { allAsked, release } = holdRefreshes(site, VISITORS);
  const asked = askBoth(visitors);
  await allAsked;
  site.redis.pause();
  release();
  await delay(pause);
  site.redis.resume();
  await nobodyIsLost(t, site, visitors, await asked);
}

async function nobodyIsLost(
  t: Asserting,
  { people }: Pick<TwoGateways, 'people'>,
  visitors: readonly Visitor[],
  outcomes: readonly string[],
): Promise<void> {
  t.strictSame(wrongOf(outcomes), [], 'meanwhile');
  t.strictSame(await servedWrongly(visitors), [], 'afterwards everybody is signed in');
  t.equal(people.totalRefreshes(), visitors.length, 'one refresh for each session');
}
