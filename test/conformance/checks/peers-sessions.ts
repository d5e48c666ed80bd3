import { send } from '../../support/browser.ts';
import type { Check } from '../check.ts';
import {
  ARTICLE,
  holds,
  INSTALL,
  install,
  isSignedIn,
  putBack,
  same,
  seenOnlyWith,
  sessionCookies,
} from '../expect.ts';
import { personOf } from '../users.ts';
import { settersAreNotStored } from './secrets.ts';
import { begin } from './sign-in.ts';

/** Bugs of other gateways in separating sessions. */
export const peerSessionChecks: readonly Check[] = [
  {
    id: 'CVE-2024-31999, CVE-2024-35220',
    title: 'a cookie is invalid after the sign-out or its expiry',
    async run(context) {
      context.upstream.on(`POST ${INSTALL}`, () => ({}));
      const opened = await context.signedIn();
      const held = sessionCookies(opened, context);
      await opened.call(context.dialect.logoutPath, { method: 'POST' });
      putBack(opened, held);
      same((await install(opened)).status, 401, 'a call after the sign-out');
      const target = await context.start({ settings: { SESSION_IDLE: '1h', SESSION_MAX: '2h' } });
      const clock = seenOnlyWith(target.clock, 'a clock that can be moved');
      const late = await context.signedIn(8, target);
      const kept = sessionCookies(late, context);
      clock.ahead = 61 * 60_000;
      putBack(late, kept);
      same((await install(late)).status, 401, 'a call after its expiry');
    },
  },
  {
    id: 'CVE-2023-29019',
    title: 'a cookie planted before a sign-in is not the session after it',
    async run(context) {
      const planted = await context.signedIn(666);
      const victim = context.browser();
      putBack(victim, sessionCookies(planted, context));
      await victim.signIn({ code: 'person-7' });
      holds(
        sessionCookies(victim, context).join() !== sessionCookies(planted, context).join(),
        'the session is a new one',
      );
      context.upstream.on(`POST ${INSTALL}`, (seen) => ({ person: personOf(seen) }));
      same((await install(victim)).json().data.person, 7, 'the user of the victim’s calls');
      const answer = await install(planted);
      holds(answer.status === 401 || answer.json().data.person === 666, 'the planted cookie is the victim’s');
    },
  },
  {
    id: 'GHSA-f24x-5g9q-753f',
    title: 'the former session ends when the new one starts, not before',
    async run(context) {
      context.upstream.on(`POST ${INSTALL}`, () => ({}));
      const opened = await context.signedIn();
      const held = sessionCookies(opened, context);
      await opened.visit(`${context.dialect.loginPath}%2Fplugins%2F`);
      same(sessionCookies(opened, context), held, 'cookies after the start of a sign-in');
      same((await install(opened)).status, 200, 'a call after the start of a sign-in');
      await opened.signIn({ code: 'person-8' });
      same((await install(opened)).status, 200, 'a call with the new session');
      putBack(opened, held);
      same((await install(opened)).status, 401, 'a call with the former session');
    },
  },
  {
    id: 'CVE-2025-48947, CVE-2025-64762',
    title: 'a response with Set-Cookie is not cacheable',
    async run(context) {
      context.upstream.on(`GET ${ARTICLE}`, (_seen, response) => {
        response.writeHead(200, { 'cache-control': 'public, max-age=600' }).end('{"code":0,"data":{}}');
        return undefined;
      });
      context.people.lifetime = 3;
      const opened = await context.signedIn();
      await opened.call(ARTICLE);
      await opened.visit('/plugins/');
      const [name = ''] = sessionCookies(opened, context)[0] ?? [];
      opened.cookies.set(name, 'altered');
      await opened.visit('/plugins/');
      settersAreNotStored(opened.received);
    },
  },
  {
    id: 'CVE-2026-40155',
    title: 'concurrent refreshes never mix up the tokens of two users',
    async run(context) {
      const { upstream, identity, people } = context;
      upstream.on(`POST ${INSTALL}`, (seen) => ({ person: personOf(seen) }));
      people.lifetime = 3;
      const persons = Array.from({ length: 12 }, (_none, index) => 100 + index);
      const opened = await Promise.all(persons.map((person) => context.signedIn(person)));
      people.lifetime = 900;
      const calls = opened.flatMap((browser, index) =>
        [1, 2, 3].map(async () => {
          const answer = await install(browser);
          same(answer.json().data?.person, persons[index], 'the user of the call');
        }),
      );
      await Promise.all(calls);
      same(
        [...people.refreshes.values()],
        persons.map(() => 1),
        'refreshes of each person',
      );
      same(identity.seen('POST /user/refresh_token').length, persons.length, 'refreshes');
    },
  },
  {
    id: 'CVE-2021-32702',
    title: 'parameters of a failed callback are not written into its page',
    async run(context) {
      const { path, opened } = await begin(context);
      const script = '<script>alert(1)</script>';
      const words = encodeURIComponent(script);
      for (const query of [
        `?error=${words}&error_description=${words}`,
        `?code=${words}&nonce=${words}`,
        `?nonce="><img src=x>`.replaceAll('"', '%22').replaceAll('<', '%3C').replaceAll(' ', '%20'),
      ]) {
        const answer = await opened.visit(path + query);
        holds(answer.status >= 400, `a failed return answered ${answer.status}`);
        holds(!/<script>alert|<img src=x/i.test(answer.text), 'the query is in the page');
      }
    },
  },
  {
    id: 'CVE-2022-31093',
    title: 'a malformed return address is not a 500',
    async run(context) {
      for (const wanted of [
        'http://',
        'https://%',
        '/%',
        '%',
        '//',
        '\\',
        'a'.repeat(2048),
        '[',
        'http://[::1',
      ]) {
        const opened = context.browser();
        const answer = await opened.visit(context.dialect.loginPath + encodeURIComponent(wanted));
        holds(answer.status < 500, `${wanted.slice(0, 20)} answered ${answer.status}`);
      }
      for (const raw of ['%', '%ff', '%00', '&return_to=/a&return_to=/b', '[]=1']) {
        const answer = await context.browser().visit(context.dialect.loginPath + raw);
        holds(answer.status < 500, `${raw} answered ${answer.status}`);
      }
    },
  },
  {
    id: 'http-proxy #460, reply-from #374, reply-from #328',
    title: 'the process survives a service that is down, invalid or truncated',
    async run(context) {
      const answers = [
        '',
        'SSH-2.0-OpenSSH\r\n',
        'HTTP/1.1 888 What\r\nContent-Length: 0\r\n\r\n',
        'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
        'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'HTTP/1.1 200 OK\r\nContent-Le',
        `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`,
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      ];
      for (const answer of answers) {
        context.upstream.on(`POST ${ARTICLE}`, (_seen, response) => void response.socket?.end(answer));
        const received = await context.call(ARTICLE, { method: 'POST' });
        same(received.status, 502, `a service that answers ${JSON.stringify(answer.slice(0, 30))}`);
      }
      context.upstream.on(`GET ${ARTICLE}`, (_seen, response) => {
        response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy());
        return undefined;
      });
      await context.call(ARTICLE).catch(() => undefined);
      await context.upstream.stop();
      same((await context.call(ARTICLE)).status, 502, 'a service that is down');
      await silentUpstreamAborts(context);
      same((await context.call('/plugins/')).status, 200, 'the page afterwards');
    },
  },
];

const CLIENTS = 20;
/** For a gateway that does not pass all of them on. */
const PATIENCE_MS = 10_000;

/** Clients that disconnect while a service hangs must not end the process. */
async function silentUpstreamAborts(context: Parameters<Check['run']>[0]): Promise<void> {
  await context.upstream.resume();
  const client = new AbortController();
  let waiting = CLIENTS;
  context.upstream.on(`GET ${ARTICLE}`, () => {
    waiting -= 1;
    if (waiting === 0) client.abort();
    return new Promise(() => undefined);
  });
  const left = Array.from({ length: CLIENTS }, () =>
    send(context.target.url, ARTICLE, {
      headers: context.dialect.headers,
      signal: AbortSignal.any([client.signal, AbortSignal.timeout(PATIENCE_MS)]),
    }).catch(() => undefined),
  );
  await Promise.all(left);
  same(await isSignedIn(await context.signedIn(), context), true, 'signed in afterwards');
}
