import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { portOf } from '../../support/port.ts';
import type { Account } from './account.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

export type LoginHost = {
  /** Its LOGIN_URL. */
  url: string;
  /** Sets the account to sign in, and the origin of its site. */
  serve(origin: string, account: Account): void;
  /** From now on signs in only browsers that send its cookie. */
  demandCookie(): void;
};

type Settings = {
  /** Value of X-Frame-Options. */
  frameOptions?: string;
  /** Value of Cross-Origin-Opener-Policy. */
  openerPolicy?: string;
  /** A certificate for 127.0.0.1, which is another site than localhost. */
  tls?: { cert: string; key: string };
};

const COOKIE = 'SameSite=None; Secure; HttpOnly; Path=/';

/**
 * A separate login host: one button signs in an account of the site's identity service and redirects with its one-time
 * code.
 */
export async function startLoginHost(
  t: Test,
  { frameOptions, openerPolicy, tls }: Settings,
): Promise<LoginHost> {
  let needsCookie = false;
  let signIn = async (_login: URLSearchParams): Promise<string> => '/';
  const page = (response: ServerResponse, html: string): void => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(frameOptions !== undefined && { 'x-frame-options': frameOptions }),
      ...(openerPolicy !== undefined && { 'cross-origin-opener-policy': openerPolicy }),
      ...(needsCookie && { 'set-cookie': `seen=1; ${COOKIE}` }),
    });
    response.end(`<!doctype html><html lang="en"><title>Login host</title>${html}`);
  };
  const listener: RequestListener = async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://login');
    const action = `/login?${searchParams}`;
    if (request.method !== 'POST') {
      const form = action.replaceAll('&', '&amp;');
      return page(response, `<form method="post" action="${form}"><button>Let me in</button></form>`);
    }
    if (needsCookie && !hasCookie(request)) return page(response, '<p>Cookies are needed here.</p>');
    response.writeHead(303, { location: await signIn(searchParams) }).end();
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `${tls ? 'https://127.0.0.1' : 'http://localhost'}:${portOf(server)}/login`,
    serve(origin, account) {
      signIn = async (login) => codeFor(origin, account, login);
    },
    demandCookie() {
      needsCookie = true;
    },
  };
}

function hasCookie({ headers }: IncomingMessage): boolean {
  return headers.cookie?.includes('seen=1') === true;
}

async function codeFor(
  origin: string,
  { email, password }: Account,
  login: URLSearchParams,
): Promise<string> {
  const answer = await fetch(`${origin}/user/page/sign_in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [REQUESTED_WITH_HEADER]: REQUESTED_WITH },
    body: JSON.stringify({ account: email, password, ...Object.fromEntries(login) }),
  });
  const { data }: { data: { continue_to: string } } = await answer.json();
  return data.continue_to;
}
