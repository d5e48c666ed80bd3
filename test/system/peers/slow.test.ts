import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import t from 'tap';
import { ask, CALLBACK, testIdentity } from '../../support/identity.ts';
import type { Tamper } from '../../support/openid-provider.ts';
import { portOf } from '../../support/port.ts';
import { GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { METHODS, openIdMethod, reason } from './support/openid-method.ts';

type Test = Parameters<typeof testIdentity>[0];

/** Timeout in milliseconds for the peer, instead of eight seconds; enough for a peer that responds on a busy machine. */
const LIMIT = 3000;
const DOWN = ['/user/login', 'SERVICE_UNAVAILABLE'];

/** Accepts a request and never responds. */
const silent = (path: string): Tamper => {
  const never = new Promise<string>(() => undefined);
  return (requested, body) => (requested === path ? never : body);
};

const SLOW = { oidc: ['/token', '/jwks'], oauth2: ['/token', '/me'] } as const;
for (const method of METHODS) {
  t.test(`${method}: a provider without a response times out, and is tried again later`, async (t) => {
    const { begin, visit, back, openid, signIn } = await openIdMethod(t, method, { peerTimeout: LIMIT });
    for (const path of SLOW[method]) {
      const address = await visit(await begin());
      openid.tamper = silent(path);
      t.strictSame(reason(await back(address)), DOWN, path);
      openid.tamper = undefined;
    }
    t.ok((await signIn()).searchParams.get('code'));
  });
}

t.test('oidc: a sign-in without a metadata response stops no other', async (t) => {
  const { app, openid, signIn } = await openIdMethod(t, 'oidc', { peerTimeout: LIMIT });
  const METADATA = '/.well-known/openid-configuration';
  const asked = new Promise<void>((resolve) => {
    openid.tamper = (path, body) => {
      if (path === METADATA) resolve();
      return silent(METADATA)(path, body);
    };
  });
  const body = { source: 'oidc', redirect_uri: CALLBACK };
  const waiting = ask(app, 'POST /user/page/sso', { body });
  await asked;
  openid.tamper = undefined;
  t.ok((await signIn()).searchParams.get('code'));
  const answer = await waiting;
  t.equal(answer.status, 503);
  t.hasStrict(answer.body, { code: 'SERVICE_UNAVAILABLE' });
});

/** An endless response, each chunk within the timeout. */
const dribble: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), LIMIT / 8);
  response.on('close', () => clearInterval(timer));
};
const PORTALS: Record<string, RequestListener> = {
  silent: () => undefined,
  endless: dribble,
  large: (_request, response) => void response.end(' '.repeat(2 ** 21)),
  broken: (_request, response) => void response.writeHead(500).end(),
  elsewhere: (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  wordless: (_request, response) => void response.end('hello'),
};

async function portal(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => server.close().closeAllConnections());
  return `http://127.0.0.1:${portOf(server)}/keys`;
}

t.test('custom_sso: a portal without a response for its keys', async (t) => {
  const methods = await Promise.all(
    Object.entries(PORTALS).map(async ([source, listener]) => ({
      method: 'custom_sso' as const,
      source,
      login_url: 'https://portal.example/',
      issuer: 'portal',
      audience: 'plugin-square',
      jwks_url: await portal(t, listener),
    })),
  );
  const { app } = await testIdentity(t, { peerTimeout: LIMIT, methods });
  const header = Buffer.from('{"alg":"ES256","kid":"x"}').toString('base64url');
  const token = `${header}.${Buffer.from('{}').toString('base64url')}.AAAA`;
  const callCallback = async (source: string) => {
    const body = { source, redirect_uri: CALLBACK };
    const started = await ask(app, 'POST /user/page/sso', { body });
    const state = new URL(String(started.body.data.go_to)).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, token });
    const answer = await app.inject({
      url: `/user/sso/${source}/callback?${query}`,
      headers: { authorization: GATEWAY_TO_IDENTITY },
    });
    return [source, ...reason(new URL(String(answer.headers.location)))];
  };
  const sources = Object.keys(PORTALS);
  t.strictSame(
    await Promise.all(sources.map(callCallback)),
    sources.map((source) => [source, ...DOWN]),
  );
});
