import httpProxy from '@fastify/http-proxy';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { portOf } from '../support/port.ts';
import type { Target } from './check.ts';
import { OWN_DIALECT } from './own-gateway.ts';
import type { Subject } from './runner.ts';

/**
 * A minimal gateway without protection: the proxy with its defaults, tokens in a readable cookie. It proves that the
 * checks can fail.
 */
export function naiveBff(publicUrl: string): Subject {
  return {
    dialect: OWN_DIALECT,
    ports: { upstream: 0, identity: 0 },
    start: (_variant, stubs) => startNaive(publicUrl, stubs),
  };
}

type Tokens = { access_token: string; refresh_token: string };
type Stubs = { upstream: string; identity: string };

async function startNaive(publicUrl: string, { upstream, identity }: Stubs): Promise<Target> {
  // Node's own limits, shorter: a check waits until they end a request that is never complete.
  const app = Fastify({
    trustProxy: true,
    requestTimeout: 5000,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 500 },
  });
  registerSignIn(app, identity);
  app.addHook('onSend', async (_request, reply) => void reply.header('vary', 'Cookie'));
  app.get('/plugins/*', async (_request, reply) => reply.type('text/html').send('<title>page</title>'));
  for (const prefix of ['/api/cmt', '/api/helpcenter']) {
    await app.register(httpProxy, {
      upstream,
      prefix,
      rewritePrefix: prefix,
      preHandler: async (request) => addBearer(request, identity),
      preRewrite: (url) => rewriteForAdmins(url),
    });
  }
  await app.register(httpProxy, { upstream: identity, prefix: '/user/page', rewritePrefix: '/user/page' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    app.server.closeAllConnections();
    await app.close();
  };
  return {
    url: `http://127.0.0.1:${portOf(app.server)}`,
    publicUrl,
    clock: { ahead: 0 },
    restart: () => close().then(() => startNaive(publicUrl, { upstream, identity })),
    close,
  };
}

/** Decides by the raw URL, so that its query and its spelling have an effect. */
function rewriteForAdmins(url: string): string {
  return url.includes('/admin') && !url.includes('/manager')
    ? url.replace('/api/helpcenter', '/api/helpcenter/manager')
    : url;
}

function registerSignIn(app: FastifyInstance, identity: string): void {
  app.get<{ Querystring: { return_to?: string } }>('/api/auth/login', async ({ query, host }, reply) => {
    const returnTo = new URL(query.return_to ?? '/', `http://${host}`);
    const back = `http://${host}/api/auth/callback?return_to=${returnTo}`;
    return reply.redirect(`http://${host}/user/login?redirect_uri=${encodeURIComponent(back)}`);
  });
  app.get<{ Querystring: { code?: string; return_to?: string; error?: string } }>(
    '/api/auth/callback',
    async ({ query }, reply) => {
      const tokens = await exchange(identity, query.code ?? '');
      if (!tokens) return reply.code(400).type('text/html').send(`Failed: ${query.code}`);
      return writeCookie(reply, tokens).redirect(query.return_to ?? '/', 303);
    },
  );
  app.get('/api/auth/session', async (request) => {
    const session = readCookie(request);
    return { code: 0, message: 'ok', data: { signed_in: session !== undefined, ...session } };
  });
  app.post('/api/auth/logout', async (_request, reply) => {
    return reply.header('set-cookie', 'session=; Max-Age=0').send({ code: 0, message: 'ok', data: {} });
  });
}

async function exchange(identity: string, code: string): Promise<Tokens | undefined> {
  const answer = await fetch(`${identity}/user/login/code/user?code=${code}`);
  if (!answer.ok) return undefined;
  const body: { data: Tokens } = await answer.json();
  return body.data;
}

function writeCookie(reply: FastifyReply, tokens: Tokens): FastifyReply {
  const value = Buffer.from(JSON.stringify(tokens)).toString('base64url');
  return reply.header('set-cookie', `session=${value}; Path=/; HttpOnly`);
}

function readCookie(request: FastifyRequest): Tokens | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith('session='))?.slice('session='.length);
  if (!value) return undefined;
  const tokens: Tokens = JSON.parse(Buffer.from(value, 'base64url').toString());
  return tokens;
}

/** Refreshes an expired token in every request, without sharing the result. */
async function addBearer(request: FastifyRequest, identity: string): Promise<void> {
  const session = readCookie(request);
  if (!session) return;
  request.headers.authorization = `Bearer ${session.access_token}`;
  const claims: { exp: number } = JSON.parse(
    Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString(),
  );
  if (claims.exp * 1000 > Date.now() + 5000) return;
  const answer = await fetch(`${identity}/user/refresh_token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.refresh_token}` },
  });
  const renewed: { data?: Tokens } = await answer.json();
  if (renewed.data) request.headers.authorization = `Bearer ${renewed.data.access_token}`;
}
