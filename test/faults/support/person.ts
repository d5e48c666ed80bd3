import type { Browser, Received } from '../../support/browser.ts';
import { loginParameters, openBrowser } from '../../support/browser.ts';

/** Where pages are said to be; programs of tests are reached by their ports. */
export const PUBLIC_URL = 'http://square.test';
export const ADMIN = { email: 'root@example.org', password: 'correct-horse-battery' };

/** Settings of a program whose people act fast and often. */
export const SETTINGS = {
  PUBLIC_URL,
  SEED: 'none',
  RATE_LIMIT_FACTOR: '0',
  TRUST_PROXY: 'loopback',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  REVIEW_OWN_SUBMISSIONS: 'yes',
} as const;

/** Somebody at a browser. */
export type Person = {
  origin: string;
  browser: Browser;
  submit(method: string, path: string, form: FormData): Promise<Received>;
};

let others = 0;
/** An address that nobody came from before: too many tries from one are slowed down. */
export function newAddress(): Record<string, string> {
  others += 1;
  return { 'x-forwarded-for': `10.${(others >> 16) & 255}.${(others >> 8) & 255}.${others & 255}` };
}

export function openPerson(origin: string): Person {
  const browser = openBrowser(origin, PUBLIC_URL);
  return {
    origin,
    browser,
    async submit(method, path, form) {
      const packed = new Response(form);
      const body = Buffer.from(await packed.arrayBuffer());
      return browser.call(path, {
        method,
        body,
        headers: { 'content-type': packed.headers.get('content-type') ?? '' },
      });
    },
  };
}

async function begin(browser: Browser, headers: Record<string, string>): Promise<Record<string, string>> {
  return loginParameters(await browser.visit('/api/auth/login?return_to=%2Fplugins%2F', { headers }));
}

async function post(
  browser: Browser,
  path: string,
  { body, headers }: { body: Record<string, unknown>; headers: Record<string, string> },
): Promise<Received> {
  return browser.call(path, { method: 'POST', body: JSON.stringify(body), headers });
}

async function goOn(browser: Browser, typed: Received): Promise<void> {
  if (typed.status !== 200) throw new Error(`the sign-in page answered ${typed.status}: ${typed.text}`);
  const { pathname, search } = new URL(String(typed.json().data.continue_to));
  const led = await browser.visit(pathname + search, { site: 'same-origin' });
  if (led.status >= 400) throw new Error(`the way back answered ${led.status}: ${led.text}`);
}

/** Signs in on the page, from an address. @throws when that is refused or cannot be done */
export async function signIn(
  { browser }: Person,
  { email, password } = ADMIN,
  headers = newAddress(),
): Promise<void> {
  const body = { account: email, password, ...(await begin(browser, headers)) };
  await goOn(browser, await post(browser, '/user/page/sign_in', { body, headers }));
}

/** Makes an account. @throws when that is refused or cannot be done; it may be there all the same */
export async function signUp(person: Person, account: { email: string; password: string }): Promise<void> {
  const { browser } = person;
  const headers = newAddress();
  const body = { ...account, nick_name: 'Somebody', ...(await begin(browser, headers)) };
  const typed = await post(browser, '/user/page/sign_up', { body, headers });
  if (typed.status !== 200) throw new Error(`sign-up answered ${typed.status}: ${typed.text}`);
}
