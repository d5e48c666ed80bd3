import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type People, scriptPeople } from '../../conformance/users.ts';
import {
  contractRoutes,
  type Generated,
  generatedRequests,
  PEOPLE,
  written,
} from '../../gateway/fixtures/generated-requests.ts';
import { type Browser, cookieHeader } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { type SeenRequest, type StubUpstream, startStub, stubAnswer } from '../../support/stub-upstream.ts';

const REQUESTS_EACH = 600;
const SEEDS = [20_260_707, 20_260_708, 20_260_709, 20_260_710];

/** Responses of the stubs behind the gateway. */
const UPSTREAM_FAILURES = [502, 503, 504];
/** The minimum number of each; fewer mean that the generator covers too little. */
const AT_LEAST: Readonly<Record<number, number>> = { 400: 100, 401: 30, 403: 50, 404: 20, 405: 20, 502: 10 };

type Site = { gateway: TestGateway; upstream: StubUpstream; identity: StubUpstream; people: People };

async function openSite(t: Test): Promise<Site> {
  const [upstream, identity] = [await startStub(t), await startStub(t)];
  const gateway = await startGateway(t, {
    now: Date.now,
    settings: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '0' },
    upstreams: { community: upstream.url, helpcenter: upstream.url, identity: identity.url },
  });
  const people = scriptPeople(identity);
  upstream.otherwise(({ path }, response) => {
    if (path.includes('broken')) return void response.destroy();
    return stubAnswer(200, { code: 0, message: 'ok', data: {} }, { 'set-cookie': 'a=b', server: 'x' });
  });
  upstream.on('GET /api/cmt/manager/verify', () => ({ role: 2 }));
  return { gateway, upstream, identity, people };
}

/** Request targets that may reach a service. */
const COMMUNITY = targets('community').concat(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE) \/api\/helpcenter\/\S*$/);
const IDENTITY = [...targets('identity'), /^(?:GET|POST) \/(?:user|3rd-party|config)\/[\w/.-]+(?:\?[^ ]*)?$/];

function targets(service: string): RegExp[] {
  return contractRoutes
    .filter((route) => route.service === service)
    .map(({ method, path }) => {
      const methods = method === 'GET' ? '(?:GET|HEAD)' : method;
      return new RegExp(`^${methods} ${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?\\S*)?$`);
    });
}

function outside(requests: readonly SeenRequest[], allowed: readonly RegExp[]): string[] {
  return requests
    .filter(({ method, target, headers }) => {
      const [path = ''] = target.split('?');
      const isPlain = !/\/\.{1,2}(?:\/|$)|\/\/|%2e%2e|%2f|%5c|%00|%0d|%0a|%25|\\|#/i.test(path);
      const isListed = allowed.some((pattern) => pattern.test(`${method} ${target}`));
      const forged = 'cookie' in headers || 'x_forwarded_user' in headers || 'forwarded' in headers;
      return !isPlain || !isListed || forged || headers.authorization === 'Bearer forged';
    })
    .map(({ method, target, headers }) => `${method} ${target} ${JSON.stringify(headers)}`);
}

/** Status of the last response head, after interim responses; 0 if there is none. */
function finalStatus(received: string): number {
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return statuses.find((status) => status >= 200) ?? 0;
}

/** Whether the server waits for more bytes. */
function isUnfinished({ headers, body }: Generated): boolean {
  const isAnnounced = headers.some(([name]) => name === 'Content-Length' || name === 'Transfer-Encoding');
  return body.kind === 'wrong-length' || (body.kind === 'none' && isAnnounced);
}

function cookieText(browser: Browser, kind: Generated['cookie']): string {
  if (kind === 'none') return '';
  if (kind === 'junk') return 'session=1.x; session-1=y; lang=%; =; ;;a';
  const text = cookieHeader(browser.cookies);
  return kind === 'altered' ? text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) : text;
}

/**
 * Sends `REQUESTS_EACH` requests to a gateway of its own.
 * @returns the number of responses by status
 */
async function fuzz(t: Test, seed: number): Promise<Map<number, number>> {
  const { gateway, upstream, identity, people } = await openSite(t);
  const browsers = await Promise.all(Array.from({ length: PEOPLE }, () => signedIn(gateway)));
  const statuses = new Map<number, number>();
  let sent = 0;

  async function exchange(request: Generated): Promise<void> {
    sent += 1;
    const at = typeof request.cookie === 'number' ? request.cookie : 0;
    const browser = browsers[at] ?? gateway.browser();
    const address = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
    upstream.requests.length = 0;
    identity.requests.length = 0;
    const text = written(request, cookieText(browser, request.cookie), address);
    const received = await sendRaw(gateway.url, text, {
      silence: 20,
      ...(isUnfinished(request) && { unanswered: 500 }),
    });
    const status = finalStatus(received);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500 && !UPSTREAM_FAILURES.includes(status))
      throw new Error(`status ${status}: ${received}`);
    const strays = [...outside(upstream.requests, COMMUNITY), ...outside(identity.requests, IDENTITY)];
    if (strays.length > 0) throw new Error(`reached a service: ${strays}`);
    if (/CANARY/.test(received)) throw new Error(`a secret in ${received}`);
    const isEnded = /set-cookie: session=;/i.test(received) || /set-cookie: session=\d/i.test(received);
    if (isEnded) browsers[at] = await signedIn(gateway);
  }
  const property = fc.asyncProperty(generatedRequests, exchange);
  await fc.assert(property, { numRuns: REQUESTS_EACH, seed, endOnFailure: true });

  t.equal(sent, REQUESTS_EACH);
  t.equal((await gateway.browser().visit('/plugins/')).status, 200, 'the process is alive');
  t.ok(people.secrets.length > PEOPLE);
  const log = gateway.logText();
  t.notOk(
    people.secrets.some((secret) => log.includes(secret)),
    'no token in the log',
  );
  t.notMatch(log, 'CANARY');
  return statuses;
}

t.test('generated requests', async (t) => {
  // Most of the time is spent waiting for a second response that must not come.
  const lanes = await Promise.all(SEEDS.map((seed) => fuzz(t, seed)));
  const countOf = (from: number, to = from): number =>
    lanes
      .flatMap((statuses) => [...statuses])
      .reduce((sum, [status, count]) => sum + (status >= from && status <= to ? count : 0), 0);
  const all = REQUESTS_EACH * SEEDS.length;
  const counted = JSON.stringify(lanes.map((statuses) => Object.fromEntries(statuses)));
  t.ok(countOf(200, 399) / all > 0.25, `many are accepted: ${counted}`);
  t.ok(countOf(400) / all < 0.4, 'most are not refused as malformed');
  t.ok(countOf(0) / all < 0.05, 'almost all are answered');
  for (const [status, least] of Object.entries(AT_LEAST)) {
    t.ok(countOf(Number(status)) >= least, `${status} at least ${least} times in ${counted}`);
  }
});

async function signedIn(gateway: TestGateway): Promise<Browser> {
  const browser = gateway.browser();
  await browser.signIn({ code: 'person-7' });
  return browser;
}
