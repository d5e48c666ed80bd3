import { type Browser, loginParameters, openBrowser, type Received } from '../../../support/browser.ts';

/** Public address of the product; tests reach it by its port. */
export const PUBLIC_URL = 'http://square.test';
export const ADMIN = { email: 'root@example.org', password: 'correct-horse-battery' };

const LOGIN_PATH = '/api/auth/login?return_to=%2Fplugins%2F';

/** Settings for users that send many requests. */
export const SETTINGS = {
  PUBLIC_URL,
  SEED: 'none',
  LOG_LEVEL: 'info',
  RATE_LIMIT_FACTOR: '0',
  TRUST_PROXY: 'loopback',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  REVIEW_OWN_SUBMISSIONS: 'yes',
} as const;

export type TestUser = {
  origin: string;
  browser: Browser;
  submit(method: string, path: string, form: FormData): Promise<Received>;
};

let addresses = 0;
/** A new client address: too many attempts from one address are slowed down. */
export function newClientAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}` };
}

export function openUser(origin: string): TestUser {
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

/** Signs in on the page; returns the answer of the callback, or of the sign-in page if that fails. */
export async function signInOn(
  browser: Browser,
  { email, password }: { email: string; password: string },
  headers: Record<string, string> = {},
): Promise<Received> {
  const started = await browser.visit(LOGIN_PATH, { headers });
  const body = JSON.stringify({ account: email, password, ...loginParameters(started) });
  const answer = await browser.call('/user/page/sign_in', { method: 'POST', body, headers });
  if (answer.status !== 200) return answer;
  const { pathname, search } = new URL(String(answer.json().data.continue_to));
  return browser.visit(pathname + search, { site: 'same-origin' });
}

/** @throws Error when the sign-in fails */
export async function signIn(
  { browser }: TestUser,
  account = ADMIN,
  headers = newClientAddress(),
): Promise<void> {
  const { status, text } = await signInOn(browser, account, headers);
  if (status >= 400) throw new Error(`sign-in: ${status}: ${text}`);
}

/** Creates an account. @throws Error when that fails; the account may exist nevertheless */
export async function signUp(
  { browser }: TestUser,
  account: { email: string; password: string },
): Promise<void> {
  const headers = newClientAddress();
  const started = await browser.visit(LOGIN_PATH, { headers });
  const body = JSON.stringify({ ...account, nick_name: 'Somebody', ...loginParameters(started) });
  const answer = await browser.call('/user/page/sign_up', { method: 'POST', body, headers });
  if (answer.status !== 200) throw new Error(`sign-up: ${answer.status}: ${answer.text}`);
}
