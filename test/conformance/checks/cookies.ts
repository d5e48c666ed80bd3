import { randomBytes } from 'node:crypto';
import type { Check } from '../check.ts';
import {
  cookiesOf,
  holds,
  INSTALL,
  install,
  isDeletion,
  isSecure,
  isSignedIn,
  LIST,
  putBack,
  readCookie,
  same,
  sessionCookies,
} from '../expect.ts';
import { requestHead } from './paths.ts';

/** Attributes and content of session cookies. */
export const cookieChecks: readonly Check[] = [
  {
    id: 'R 9.1',
    title: 'auth cookies are HttpOnly, host-wide and SameSite',
    async run(context) {
      const { browser, dialect } = context;
      const secure = isSecure(context);
      for (const uxMode of ['redirect', 'auth']) {
        const opened = browser();
        const mode = `&ux_mode=${uxMode}`;
        const begun = await opened.visit(`${dialect.loginPath}${encodeURIComponent('/plugins/')}${mode}`);
        const transaction = cookiesOf(begun).find((cookie) => !isDeletion(cookie));
        holds(transaction !== undefined, 'a sign-in starts with a transaction cookie');
        const wanted = uxMode === 'auth' && secure ? 'None' : 'Lax';
        same(transaction?.attributes.get('samesite'), wanted, `SameSite of the transaction (${uxMode})`);
        if (wanted === 'None') holds(transaction?.attributes.has('partitioned') ?? false, 'Partitioned');
        const finished = await opened.signIn({ code: 'person-7', uxMode });
        const lines = [...cookiesOf(begun), ...cookiesOf(finished)];
        for (const { name, attributes } of lines) {
          same(attributes.get('path'), '/', `Path of ${name}`);
          same(attributes.has('httponly'), true, `HttpOnly of ${name}`);
          same(attributes.has('domain'), false, `Domain of ${name}`);
          same(attributes.has('secure'), secure, `Secure of ${name}`);
        }
        const session = cookiesOf(finished).filter(({ name }) => dialect.sessionCookie.test(name));
        holds(session.length > 0, `a session cookie is set (${uxMode})`);
        for (const { attributes } of session) same(attributes.get('samesite'), 'Strict', 'SameSite');
      }
    },
  },
  {
    id: 'R 9.2',
    title: 'on https the names of auth cookies start with __Host-Http-',
    async run(context) {
      const opened = await context.signedIn();
      const begun = await opened.visit(`${context.dialect.loginPath}%2Fplugins%2F`);
      const names = [...opened.cookies.keys(), ...cookiesOf(begun).map(({ name }) => name)];
      holds(names.length > 0, 'cookies were set');
      for (const name of names) same(name.startsWith('__Host-Http-'), isSecure(context), name);
    },
  },
  {
    id: 'R 9.3',
    title: 'every chunk of a cookie is deleted with its attributes',
    async run(context) {
      context.people.padding = 2200;
      const opened = await context.signedIn();
      const held = sessionCookies(opened, context).map(([name]) => name);
      const left = await opened.call(context.dialect.logoutPath, { method: 'POST' });
      const deleted = cookiesOf(left).filter(isDeletion);
      same(deleted.map(({ name }) => name).sort(), held.sort(), 'deleted cookies');
      for (const { attributes } of deleted) {
        same(attributes.get('path'), '/', 'Path');
        same(attributes.has('secure'), isSecure(context), 'Secure');
        same(attributes.get('samesite'), 'Strict', 'SameSite');
      }
    },
  },
  {
    id: 'R 9.4',
    title: 'a large session is chunked; a missing chunk is anonymous; stale chunks are deleted',
    async run(context) {
      const { people, upstream } = context;
      people.padding = 2500;
      people.lifetime = 3;
      const opened = await context.signedIn();
      const large = sessionCookies(opened, context);
      holds(large.length > 1, 'a session over 4096 bytes is more than one cookie');
      for (const [name, value] of large) holds(name.length + value.length <= 4096, `${name} is too large`);
      const total = large.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
      holds(total < 8192, `all cookies together have ${total} bytes`);
      for (const [lost] of large) {
        putBack(
          opened,
          large.filter(([name]) => name !== lost),
        );
        same(await isSignedIn(opened, context), false, `signed in without ${lost}`);
        same(sessionCookies(opened, context), [], 'its remaining cookies');
      }
      putBack(opened, large);
      people.padding = 0;
      people.lifetime = 900;
      upstream.on(`POST ${INSTALL}`, () => ({}));
      same((await install(opened)).status, 200, 'a call that needs a refresh');
      same(sessionCookies(opened, context).length, 1, 'cookies of the smaller session');
      same(await isSignedIn(opened, context), true, 'signed in with it');
    },
  },
  {
    id: 'R 9.5',
    title: 'an altered cookie is anonymous and cleared; keys rotate; cookies of another purpose fail',
    async run(context) {
      const opened = await context.signedIn();
      const held = sessionCookies(opened, context);
      for (const [name, value] of held) {
        const step = Math.max(1, Math.floor(value.length / 24));
        for (let at = 0; at < value.length; at += step) {
          const other = value[at] === 'A' ? 'B' : 'A';
          putBack(opened, held);
          opened.cookies.set(name, value.slice(0, at) + other + value.slice(at + 1));
          same(await isSignedIn(opened, context), false, `signed in with byte ${at} of ${name} altered`);
          same(sessionCookies(opened, context), [], 'cookies left after an altered one');
        }
      }
      context.upstream.on(`GET ${LIST}`, () => ({ total: 0 }));
      const [name = '', value = ''] = held[0] ?? [];
      for (const altered of [value.slice(0, 50), 'x', '1.', '9.x', '%00']) {
        for (const ask of [() => install(opened), () => opened.call(LIST), () => opened.visit('/plugins/')]) {
          opened.cookies.set(name, altered);
          const { status } = await ask();
          holds(status === 200 || status === 401, `${altered} answered ${status}`);
          same(sessionCookies(opened, context), [], `cookies left after ${altered}`);
        }
      }
      same(context.upstream.seen(`POST ${INSTALL}`).length, 0, 'calls of nobody that reached a service');
      const begun = await opened.visit(`${context.dialect.loginPath}%2Fplugins%2F`);
      const transaction = cookiesOf(begun).find((cookie) => !isDeletion(cookie));
      opened.cookies.set(name, transaction?.value ?? 'none');
      same(await isSignedIn(opened, context), false, 'signed in with a transaction cookie');
      await keysRotate(context);
    },
  },
];

/** Bugs of other servers with planted cookies: a sibling host can set cookies for the whole site. */
export const plantedCookieChecks: readonly Check[] = [
  {
    id: 'CVE-2020-7070, CVE-2020-8184, CVE-2023-23934',
    title: 'a cookie with a similar name is not the session',
    async run(context) {
      const attacker = sessionCookies(await context.signedIn(666), context);
      const victim = sessionCookies(await context.signedIn(7), context).map(pairOf);
      const [first = ''] = attacker[0] ?? [];
      holds((await signedInWith(context, attacker.map(pairOf))).signedIn, 'the unchanged cookies');
      for (const disguise of [
        (name: string) => `\xA0${name}`,
        (name: string) => `${name}\xA0`,
        (name: string) => `\x85${name}`,
        (name: string) => `\xC2\xA0${name}`,
        (name: string) => `=${name}`,
        (name: string) => name.replace(/[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        (name: string) => (name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()),
      ]) {
        const planted = attacker.map(([name, value]) => pairOf([disguise(name), value]));
        const what = JSON.stringify(disguise(first));
        const alone = await signedInWith(context, planted);
        same([alone.signedIn, alone.cleared], [false, []], `signed in, and cookies cleared, by ${what}`);
        const beside = await signedInWith(context, [...planted, ...victim]);
        same(
          beside.signedIn && !beside.text.includes('Person 666'),
          true,
          `signed in as themself beside ${what}`,
        );
      }
    },
  },
  {
    id: 'cookie tossing',
    title: 'on https a session cookie sent twice is anonymous and cleared',
    async run(context) {
      if (!isSecure(context)) return;
      context.people.padding = 2500;
      const planted = sessionCookies(await context.signedIn(666), context).map(pairOf);
      const held = sessionCookies(await context.signedIn(7), context);
      const own = held.map(pairOf);
      const names = held.map(([name]) => name).sort();
      for (const [index, name] of names.entries()) {
        const twice = planted.filter((pair) => pair.startsWith(`${name}=`));
        for (const cookies of [
          [...twice, ...own],
          [...own, ...twice],
          [...own, own[index] ?? ''],
        ]) {
          const { signedIn, cleared } = await signedInWith(context, cookies);
          same(signedIn, false, `signed in with ${name} twice`);
          same(cleared, names, `cookies that are deleted with ${name} twice`);
        }
      }
    },
  },
];

function pairOf([name, value]: readonly [string, string]): string {
  return `${name}=${value}`;
}

/** The response of the session call to these cookies, sent byte for byte. */
async function signedInWith(context: Parameters<Check['run']>[0], pairs: readonly string[]) {
  const head = requestHead('GET', context.dialect.sessionPath, context);
  const text = await context.raw(Buffer.from(`${head}Cookie: ${pairs.join('; ')}\r\n\r\n`, 'latin1'));
  const lines = [...text.matchAll(/^set-cookie: (.*?)\r$/gim)].map(([, line = '']) => readCookie(line));
  const cleared = lines.filter(isDeletion).map(({ name }) => name);
  return { text, signedIn: /"signed_in"\s*:\s*true/.test(text), cleared: cleared.sort() };
}

/** The second key still decrypts; the first one encrypts. */
async function keysRotate(context: Parameters<Check['run']>[0]): Promise<void> {
  const [old, newer] = [randomBytes(32), randomBytes(32)];
  const before = await context.start({ keys: [old] });
  const held = sessionCookies(await context.signedIn(7, before), context);
  const after = await context.start({ keys: [newer, old] });
  const opened = context.browser(after);
  putBack(opened, held);
  same(await isSignedIn(opened, context), true, 'signed in by a cookie of the older key');
  const fresh = await context.signedIn(7, after);
  const elsewhere = context.browser(before);
  putBack(elsewhere, sessionCookies(fresh, context));
  same(await isSignedIn(elsewhere, context), false, 'a new cookie is decrypted by the older key');
}
