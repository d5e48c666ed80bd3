import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { fastifyCompress } from '@fastify/compress';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import fp from 'fastify-plugin';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import { hasLocalAccounts } from '../sign-in/login-params.ts';
import type { Upstream } from '../upstream.ts';
import { authorizeByTable, authorizeHelpcenter, proxyCallOf } from './access.ts';
import { sendResponse } from './body.ts';
import { dispatcherTo, runCall } from './exchange/dispatcher.ts';
import { COMPRESSION, requestHeaders } from './headers.ts';
import { byMethodAndPath, HELPCENTER_ROUTES, METHODS, type ProxyRoute, proxyTable } from './table.ts';

/**
 * Proxies the calls of the contract to the services with three registrations of @fastify/http-proxy, and refuses
 * everything else under /api/.
 * @throws Error if EXTRA_CMT_ROUTES contains anything but routes
 */
export const proxy = fp(
  async (app: FastifyInstance) => {
    const { config } = app.gateway;
    const { community, identity, helpcenter } = app.upstreams;
    const table = proxyTable(config.extraCmtRoutes, {
      signInPage: app.userService !== undefined,
      members: hasLocalAccounts(config),
    });
    const to = (name: ProxyRoute['upstream']) => table.filter(({ upstream }) => upstream === name);
    app.decorateRequest('proxyCall', null);
    await app.register(async (scope) => {
      // Bodies are forwarded unparsed.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', readBody);
      await scope.register(fastifyCompress, { ...COMPRESSION, global: false });
      await scope.register(async (calls) => {
        calls.addHook('onRequest', authorizeByTable);
        const [ofCommunity, ofIdentity] = [to('community'), to('identity')];
        const isWellKnown = ({ path }: ProxyRoute) => path.startsWith(WELL_KNOWN);
        await proxyTo(calls, {
          upstream: community,
          prefix: '/api/cmt',
          routes: ofCommunity.filter((route) => !isWellKnown(route)),
          methods: METHODS,
        });
        await proxyTo(calls, {
          upstream: community,
          prefix: WELL_KNOWN,
          routes: ofCommunity.filter(isWellKnown),
          methods: METHODS,
        });
        await proxyTo(calls, { upstream: identity, prefix: '/user', routes: ofIdentity, methods: METHODS });
      });
      await scope.register(async (calls) => {
        calls.addHook('onRequest', authorizeHelpcenter);
        const routes = HELPCENTER_ROUTES;
        const methods = METHODS.filter((method) => method !== 'OPTIONS');
        await proxyTo(calls, { upstream: helpcenter, prefix: '/api/helpcenter', routes, methods });
      });
      scope.all('/api/*', { exposeHeadRoute: false }, () => {
        throw appError('NOT_FOUND');
      });
    });
  },
  { name: 'proxy', dependencies: ['cache', 'csrf', 'requests', 'rate-limit', 'sign-in', 'upstreams'] },
);

/** Addresses that standards and tools look for (RFC 8615). */
const WELL_KNOWN = '/.well-known';

type Proxied = {
  upstream: Upstream;
  prefix: string;
  routes: readonly ProxyRoute[];
  methods: HTTPMethods[];
};

/** Proxies routes below a prefix to an upstream. */
async function proxyTo(app: FastifyInstance, { upstream, prefix, routes, methods }: Proxied): Promise<void> {
  if (routes.length === 0) return;
  await app.register(httpProxy, {
    upstream: upstream.origin,
    prefix,
    routes: [...new Set(routes.map(({ path }) => fastifyPath(path).slice(prefix.length)))],
    httpMethods: methods,
    config: { proxied: byMethodAndPath(routes) },
    undici: dispatcherTo(upstream),
    retryMethods: [],
    internalRewriteLocationHeader: false,
    proxyPayloads: false,
    disableRequestLogging: true,
    // The library warns of every failure, which the gateway logs itself.
    logLevel: 'error',
    // The dispatcher sets the path; the library would refuse segments that only begin or end with two dots.
    handler: (request, reply, _path, options) => {
      const { body, headers } = request;
      // Without it the library would serialize a buffer of JSON again.
      const contentType = headers['content-type'] ?? 'application/octet-stream';
      const own = Buffer.isBuffer(body) ? { ...options, body, contentType } : options;
      runCall(proxyCallOf(request), () => reply.from('/', own));
    },
    replyOptions: {
      timeout: upstream.timeout,
      rewriteRequestHeaders: (request, headers) => requestHeaders(proxyCallOf(request), headers, upstream),
      onResponse: (request, _reply, { stream }: { stream?: unknown }) => {
        if (stream instanceof Readable) sendResponse(proxyCallOf(request), stream);
      },
      onError: (reply, { error }) => void (reply.raw.destroyed || reply.send(error.cause)),
    },
  });
}

/** Up to this size a body is buffered, so that the call can be replayed with a new token. */
const REPLAYABLE_BYTES = 64 * 1024;

/**
 * A content type parser. Returns undefined for an empty body, a buffer that can be replayed, or a size-limited stream.
 * @throws AppError BODY_TOO_LARGE, MALFORMED_BODY
 */
async function readBody(
  request: FastifyRequest,
  raw: IncomingMessage,
): Promise<Buffer | Transform | undefined> {
  const limit = request.proxyRoute?.bodyLimit;
  const length = Number(raw.headers['content-length']);
  // Without a limit the call is not proxied; its handler refuses it.
  if (limit === undefined || length === 0) return undefined;
  if (length > limit) throw tooLarge();
  if (!(length <= REPLAYABLE_BYTES)) return limitedStream(raw, limit);
  try {
    return Buffer.concat(await raw.toArray());
  } catch (error) {
    throw malformed(error);
  }
}

/** The rest of a refused body is not read, so the connection must be closed. */
const tooLarge = () => appError('BODY_TOO_LARGE', { headers: { connection: 'close' } });
const malformed = (cause: unknown) => appError('MALFORMED_BODY', { cause });

/** undici may destroy its input; the client's connection must stay open for the response. */
function limitedStream(raw: IncomingMessage, limit: number): Transform {
  let counted = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length;
      if (counted > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  stream.on('error', () => undefined);
  // A client that is still sending would not read the response.
  stream.once('close', () => raw.resume());
  raw.once('close', () => {
    if (!raw.complete) stream.destroy(malformed(new Error('client disconnected')));
  });
  return raw.pipe(stream);
}
