import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Answered, PrefetchQuery } from '../../../shared/boot.ts';
import { contract, type Operation } from '../../../shared/contract.ts';
import { isErrorCode } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { foreignFailure, isSuccess, type Shape, tolerant } from '../../../shared/tolerant.ts';
import { isAppError } from '../../http/errors.ts';
import { publicTarget } from '../cache/public-responses.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { withoutTokenFields } from '../proxy/token-fields.ts';
import { createTokenMask, wantedOf } from '../proxy/token-mask.ts';
import { askRead, jsonObject } from '../upstream/ask.ts';

/** How long a first view waits for its data, in milliseconds; what comes later the page asks for itself. */
const TIMEOUT_MS = 2000;

export type Prefetching = {
  queries: PrefetchQuery[];
  language: Language;
  /** The session's access token, if there is one. */
  bearer: string | undefined;
  /** Its tokens, none of which may stand in what is answered. */
  tokens: readonly string[];
  headers: Record<string, string>;
};

export type Prefetch = (asked: Prefetching) => Promise<Answered[]>;

/** How the answers of a call are read. */
const shapes = new Map<Operation, Shape>();

/**
 * Prefetches the queries of a page, at the same time; leaves out what does not come soon. What they answer is
 * made to fit the contract here, so that pages are rendered from nothing else.
 */
export function createPrefetch(app: FastifyInstance): Prefetch {
  const { gateway, readPublic, upstreams } = app;
  const { log } = gateway;
  /** What is there to ask: identity where it is our own user service, no help center that was there already. */
  const services = {
    community: upstreams.community,
    helpcenter: gateway.hasOwnHelp ? upstreams.helpcenter : undefined,
    identity: app.userService && upstreams.identity,
  };
  /** What the gateway itself answers. */
  const own: Partial<Record<Operation, (language: Language) => Promise<unknown>>> = {
    readProtocol: app.protocolIn,
    readDeveloperDocs: app.developerDocsIn,
  };
  /** Entries that could not be used, as last logged. */
  const dropped = new Map<Operation, number>();

  function answered(
    query: PrefetchQuery,
    language: Language,
    { status, body }: { status: number; body: Buffer },
  ): Answered {
    const envelope = jsonObject(body);
    if (status !== 200 || !isSuccess(envelope.code, contractRoute(query.operation).successCode)) {
      const code = isErrorCode(envelope.code) ? envelope.code : 'UPSTREAM_INVALID';
      const failure = foreignFailure(status, envelope) ?? { status, code };
      return { ...query, ok: false, ...failure, ...(failure.status === 200 && { status: 502 }) };
    }
    let count = 0;
    const data = tolerant(shapeFor(query.operation), envelope.data, language, () => {
      count += 1;
    });
    if (count !== (dropped.get(query.operation) ?? 0)) {
      dropped.set(query.operation, count);
      log.warn({ operation: query.operation, count }, 'unusable entries of an answer left out');
    }
    if (data !== undefined) return { ...query, ok: true, data };
    return { ...query, ok: false, status: 502, code: 'UPSTREAM_INVALID' };
  }

  async function fetchQuery(query: PrefetchQuery, asked: Prefetching): Promise<Answered | undefined> {
    const answerOf = own[query.operation];
    if (answerOf) return { ...query, ok: true, data: await answerOf(asked.language) };
    const route = contractRoute(query.operation);
    if (route.method !== 'GET') return undefined;
    const { path, parameters } = addressOf(route, query.payload);
    const target = path + (parameters.size > 0 ? `?${parameters}` : '');
    const { identity } = services;
    if (route.service === 'identity' && route.access === 'all' && identity) {
      return answered(
        query,
        asked.language,
        await askRead(identity, { path: target, headers: asked.headers, timeout: TIMEOUT_MS }),
      );
    }
    const service = isHelpcenterPath(path) ? 'helpcenter' : 'community';
    const upstream = services[service];
    if (route.service !== 'community' || !upstream) return undefined;
    const { cache } = route;
    if (cache !== undefined && asked.bearer === undefined) {
      const { language, headers } = asked;
      const target = publicTarget(route, path, parameters);
      const read = { upstream: service, seconds: cache, target, language, headers: () => headers } as const;
      return answered(query, language, await readPublic(read));
    }
    const headers = {
      ...asked.headers,
      'accept-language': asked.language,
      ...(asked.bearer !== undefined && { authorization: `Bearer ${asked.bearer}` }),
    };
    const answer = await askRead(upstream, { path: target, headers, timeout: TIMEOUT_MS });
    const body = createTokenMask(wantedOf(asked.tokens), { readsEscapes: true }).whole(answer.body);
    const found = answered(query, asked.language, { ...answer, body });
    return found.ok && route.answersUser ? { ...found, data: withoutTokenFields(found.data) } : found;
  }

  const failed = (query: PrefetchQuery, error: unknown): Answered | undefined => {
    if (!isAppError(error)) throw error;
    if (error.code === 'UPSTREAM_TIMEOUT') return undefined;
    return { ...query, ok: false, status: error.statusCode, code: error.code };
  };
  return async (asked) => {
    const late = delay(TIMEOUT_MS, undefined, { ref: false });
    const all = asked.queries.map((query) =>
      Promise.race([fetchQuery(query, asked).catch((error: unknown) => failed(query, error)), late]),
    );
    return (await Promise.all(all)).filter((found) => found !== undefined);
  };
}

function contractRoute(operation: Operation): Route {
  return contract[operation];
}

function shapeFor(operation: Operation): Shape {
  const known = shapes.get(operation) ?? shapeOf(contractRoute(operation).data ?? {});
  shapes.set(operation, known);
  return known;
}

/** Path and query of a call: path parameters are filled from the payload, the rest is query. */
function addressOf(
  route: Route,
  payload: PrefetchQuery['payload'],
): { path: string; parameters: URLSearchParams } {
  const parameters = new URLSearchParams(
    Object.entries(payload).map(([name, value]) => [name, String(value)]),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters.get(name) ?? '';
    parameters.delete(name);
    return encodeURIComponent(value);
  });
  return { path, parameters };
}
