import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { FetchPageQuery, PageQuery, PageQueryResult } from '../../../shared/boot.ts';
import { contract, type Operation } from '../../../shared/contract.ts';
import { isErrorCode } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { foreignFailure, isSuccess, type Shape, tolerant } from '../../../shared/tolerant.ts';
import { isAppError } from '../../http/errors.ts';
import { publicTarget } from '../cache/public-responses.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { createTokenMask, wantedOf, withoutTokenFields } from '../proxy/tokens.ts';
import { askRead, jsonObject } from '../upstream/ask.ts';

/** How long a first view waits for its data, in milliseconds; what comes later the page asks for itself. */
const TIMEOUT_MS = 2000;

export type PageViewer = {
  language: Language;
  /** The session's access token, if there is one. */
  bearer: string | undefined;
  /** Its tokens, none of which may stand in what is answered. */
  tokens: readonly string[];
  headers: Record<string, string>;
};

/** Makes what the loaders of one page read with; what does not come soon stays unanswered. */
export type CreatePageFetch = (viewer: PageViewer) => FetchPageQuery;

/** How the answers of a call are read. */
const shapes = new Map<Operation, Shape>();

/**
 * Makes what asks the services for the first data of pages, by the rules of the proxy. What they answer is made to fit the
 * contract here, so that pages are rendered from nothing else.
 */
export function createPageQueries(app: FastifyInstance): CreatePageFetch {
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

  function resultOf(
    { operation }: PageQuery,
    language: Language,
    { status, body }: { status: number; body: Buffer },
  ): PageQueryResult {
    const envelope = jsonObject(body);
    if (status !== 200 || !isSuccess(envelope.code, contractRoute(operation).successCode)) {
      const code = isErrorCode(envelope.code) ? envelope.code : 'UPSTREAM_INVALID';
      const failure = foreignFailure(status, envelope) ?? { status, code };
      return { ok: false, ...failure, ...(failure.status === 200 && { status: 502 }) };
    }
    let count = 0;
    const data = tolerant(shapeFor(operation), envelope.data, language, () => {
      count += 1;
    });
    if (count !== (dropped.get(operation) ?? 0)) {
      dropped.set(operation, count);
      log.warn({ operation, count }, 'unusable entries of an answer left out');
    }
    if (data !== undefined) return { ok: true, data };
    return { ok: false, status: 502, code: 'UPSTREAM_INVALID' };
  }

  async function fetchQuery(query: PageQuery, asked: PageViewer): Promise<PageQueryResult | undefined> {
    const answerOf = own[query.operation];
    if (answerOf) return { ok: true, data: await answerOf(asked.language) };
    const route = contractRoute(query.operation);
    if (route.method !== 'GET') return undefined;
    const { path, parameters } = addressOf(route, query.payload);
    const target = path + (parameters.size > 0 ? `?${parameters}` : '');
    const { identity } = services;
    if (route.service === 'identity' && route.access === 'all' && identity) {
      return resultOf(
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
      return resultOf(query, language, await readPublic(read));
    }
    const headers = {
      ...asked.headers,
      'accept-language': asked.language,
      ...(asked.bearer !== undefined && { authorization: `Bearer ${asked.bearer}` }),
    };
    const answer = await askRead(upstream, { path: target, headers, timeout: TIMEOUT_MS });
    const body = createTokenMask(wantedOf(asked.tokens), { readsEscapes: true }).whole(answer.body);
    const found = resultOf(query, asked.language, { ...answer, body });
    return found.ok && route.answersUser ? { ...found, data: withoutTokenFields(found.data) } : found;
  }

  const failed = (error: unknown): PageQueryResult | undefined => {
    if (!isAppError(error)) throw error;
    if (error.code === 'UPSTREAM_TIMEOUT') return undefined;
    return { ok: false, status: error.statusCode, code: error.code };
  };
  return (viewer) => {
    const late = delay(TIMEOUT_MS, undefined, { ref: false });
    return (query) => Promise.race([fetchQuery(query, viewer).catch(failed), late]);
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
  payload: PageQuery['payload'],
): { path: string; parameters: URLSearchParams } {
  const given = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters.get(name) ?? '';
    parameters.delete(name);
    return encodeURIComponent(value);
  });
  return { path, parameters };
}
