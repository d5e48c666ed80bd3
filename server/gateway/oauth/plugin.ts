import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JWKS_PATH, OAUTH_ENDPOINTS, toolCookies } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { navigationViolation } from '../csrf.ts';
import { logSecurityEvent } from '../log.ts';
import { encodedPath, queryOf } from '../proxy/path.ts';
import { hasLocalAccounts } from '../sign-in/login-params.ts';
import { callUpstream, forwardedHeaders } from '../upstream.ts';
import { chosenCookies } from './cookies.ts';

/** Headers of a tool or a browser that the authorization server gets; an Authorization header is not one. */
const REQUEST_HEADERS = ['accept', 'content-type', 'dpop', 'user-agent'] as const;
/** Headers of its answer that come back. Redirects lead to other origins: it has checked them. */
const RESPONSE_HEADERS = ['cache-control', 'content-type', 'dpop-nonce', 'location', 'retry-after'] as const;

const BODY_BYTES = 64 * 1024;

/**
 * The endpoints of the authorization server for tools, which is part of our identity service. What a browser opens is a
 * navigation; what a tool calls comes from no page of another origin, except those of CLIENT_ORIGINS.
 */
export async function oauth(app: FastifyInstance): Promise<void> {
  const { config, publicUrl } = app.gateway;
  if (!hasLocalAccounts(config)) return;
  const cookieNames = Object.values(toolCookies(publicUrl.href));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  for (const { method, path } of [...OAUTH_ENDPOINTS, { method: 'GET', path: JWKS_PATH } as const]) {
    const isOpenedByBrowser = path.startsWith('/oauth/authorize');
    const crossOrigin = isOpenedByBrowser ? {} : { crossOrigin: method };
    // What a browser asks before a call; the hook of cors.ts answers for known origins.
    if (!isOpenedByBrowser) {
      app.options(path, { config: crossOrigin }, () => {
        throw appError('NOT_FOUND');
      });
    }
    app.route({
      method,
      url: path,
      config: crossOrigin,
      exposeHeadRoute: false,
      onRequest: async (request) => {
        refuseOtherSites(request, { isOpenedByBrowser, origin: publicUrl.origin });
        await request.consume('tool');
      },
      handler: (request, reply) => pass(request, reply, { method, cookieNames }),
    });
  }
}

function refuseOtherSites(
  request: FastifyRequest,
  { isOpenedByBrowser, origin }: { isOpenedByBrowser: boolean; origin: string },
): void {
  const from = request.headers.origin;
  const violation = isOpenedByBrowser
    ? navigationViolation(request)
    : from !== undefined && from !== origin && request.clientOrigin === undefined && 'origin';
  if (!violation) return;
  logSecurityEvent(request, 'csrf_refused', { reason: violation });
  throw appError('CSRF_REFUSED');
}

async function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  { method, cookieNames }: { method: 'GET' | 'POST'; cookieNames: readonly string[] },
) {
  const { raw, segments, body, server } = request;
  const { identity } = server.upstreams;
  const headers: Record<string, string> = {
    ...forwardedHeaders(request),
    ...chosenCookies(request.cookies, cookieNames),
  };
  for (const name of REQUEST_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const answer = await callUpstream(identity, {
    method,
    path: encodedPath(segments) + queryOf(raw.url ?? ''),
    headers,
    ...(typeof body === 'string' && { body }),
  });
  for (const name of RESPONSE_HEADERS) {
    const value = answer.headers[name];
    if (typeof value === 'string') reply.header(name, value);
  }
  const lines = [answer.headers['set-cookie'] ?? []].flat();
  const set = lines.filter((line) => cookieNames.some((name) => line.startsWith(`${name}=`)));
  if (set.length > 0) reply.header('set-cookie', set);
  return reply.code(answer.status).send(answer.body);
}
