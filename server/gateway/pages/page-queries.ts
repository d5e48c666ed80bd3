import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FetchPageQuery, PageQuery, PageQueryResult } from '../../../shared/boot.ts';
import { contract, type Operation } from '../../../shared/contract.ts';
import { isErrorCode } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { foreignFailure, isSuccess, type Shape, tolerant } from '../../../shared/tolerant.ts';
import { isAppError } from '../../http/errors.ts';
import { publicTarget } from '../cache/plugin.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { createTokenMask, createTokenPatterns, withoutTokenFields } from '../proxy/tokens.ts';
import type { Session } from '../session/session.ts';
import { forwardedHeaders, jsonObject, readUpstream } from '../upstream.ts';

type Answer = { status: number; body: Buffer };

/**
 * Creates the prefetch queries of a page, with the rules of the proxy. Responses are converted to the contract's schema. The
 * result of a query is undefined if it times out, when the browser repeats it, or if no service answers it.
 * @returns queries with the token of `session`. Without one they are a visitor's, also if the request finds its session
 * while the page is rendered: the page is shared.
 */
export function createPageQueries(
  app: FastifyInstance,
): (request: FastifyRequest, session: Session | null) => FetchPageQuery {
  const { gateway, readPublic, upstreams } = app;
  const timeout = gateway.timeouts.page;
  /** Queries that the gateway itself answers. */
  const own: Partial<Record<Operation, (language: Language) => Promise<unknown>>> = {
    readProtocol: app.protocolIn,
    readDeveloperDocs: app.developerDocsIn,
  };
  const shapes = new Map<Operation, Shape>();
  /** The last logged number of invalid entries. */
  const dropped = new Map<Operation, number>();

  async function callService(
    request: FastifyRequest,
    session: Session | null,
    { route, payload }: { route: Route; payload: PageQuery['payload'] },
  ): Promise<Answer | undefined> {
    const { path, parameters } = addressOf(route, payload);
    const query = parameters.size > 0 ? `?${parameters}` : '';
    const call = { path: path + query, headers: forwardedHeaders(request), timeout };
    if (route.service === 'identity') {
      return route.access === 'all' && app.userService ? readUpstream(upstreams.identity, call) : undefined;
    }
    const upstream = isHelpcenterPath(path) ? 'helpcenter' : 'community';
    if (route.service !== 'community' || (upstream === 'helpcenter' && !gateway.hasOwnHelp)) return undefined;
    if (!session && route.cache !== undefined) {
      const target = publicTarget(route, path, parameters);
      return readPublic(request, { upstream, seconds: route.cache, target });
    }
    if (session) call.headers.authorization = `Bearer ${session.access_token}`;
    const { status, body } = await readUpstream(upstreams[upstream], call);
    const tokens = session ? await request.sessionTokens() : [];
    return { status, body: createTokenMask(createTokenPatterns(tokens), { readsEscapes: true }).whole(body) };
  }

  function resultOf(operation: Operation, language: Language, { status, body }: Answer): PageQueryResult {
    const route: Route = contract[operation];
    const envelope = jsonObject(body);
    if (status !== 200 || !isSuccess(envelope.code, route.successCode)) {
      const code = isErrorCode(envelope.code) ? envelope.code : 'UPSTREAM_INVALID';
      const failure = foreignFailure(status, envelope) ?? { status, code };
      return { ok: false, ...failure, ...(failure.status === 200 && { status: 502 }) };
    }
    const shape = shapes.get(operation) ?? shapeOf(route.data ?? {});
    shapes.set(operation, shape);
    let count = 0;
    const data = tolerant(shape, envelope.data, language, () => {
      count += 1;
    });
    if (count !== (dropped.get(operation) ?? 0)) {
      dropped.set(operation, count);
      gateway.log.warn({ operation, count }, 'invalid entries of a response omitted');
    }
    if (data === undefined) return { ok: false, status: 502, code: 'UPSTREAM_INVALID' };
    return { ok: true, data: route.answersUser ? withoutTokenFields(data) : data };
  }

  async function fetchQuery(
    request: FastifyRequest,
    session: Session | null,
    { operation, payload }: PageQuery,
  ): Promise<PageQueryResult | undefined> {
    const answerOf = own[operation];
    if (answerOf) return { ok: true, data: await answerOf(request.language) };
    const route: Route = contract[operation];
    if (route.method !== 'GET') return undefined;
    try {
      const answer = await callService(request, session, { route, payload });
      return answer && resultOf(operation, request.language, answer);
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'UPSTREAM_TIMEOUT') return undefined;
      return { ok: false, status: error.statusCode, code: error.code };
    }
  }

  return (request, session) => {
    const late = delay(timeout, undefined, { ref: false });
    return (query) => Promise.race([fetchQuery(request, session, query), late]);
  };
}

/** Path and query of a call: payload fields that are not path parameters become query parameters. */
function addressOf(
  route: Route,
  payload: PageQuery['payload'],
): { path: string; parameters: URLSearchParams } {
  const given = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  const parameters = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters.get(name) ?? '';
    parameters.delete(name);
    return encodeURIComponent(value);
  });
  return { path, parameters };
}
