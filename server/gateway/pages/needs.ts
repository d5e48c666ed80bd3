import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Answered, Need } from '../../../shared/boot.ts';
import { contract, type Operation } from '../../../shared/contract.ts';
import { isErrorCode } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { foreignFailure, isSuccess, type Shape, tolerant } from '../../../shared/tolerant.ts';
import { isAppError } from '../../http/errors.ts';
import { type AnonymousRead, sharedTarget } from '../answers/anonymous-reads.ts';
import type { SharedAnswer } from '../answers/shared-answer.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { withoutTokenFields } from '../proxy/token-fields.ts';
import { createTokenMask, wantedOf } from '../proxy/token-mask.ts';
import { askRead, jsonObject } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';

/** How long a first view waits for its data; what comes later the page asks for itself. */
const PATIENCE = 2000;

export type Ask = {
  needs: Need[];
  language: Language;
  /** The session's access token, if there is one. */
  bearer: string | undefined;
  /** Its tokens, none of which may stand in what is answered. */
  tokens: readonly string[];
  headers: Record<string, string>;
};

type Parts = {
  community: Upstream;
  /** Tells what is open to all, where there is one to ask. */
  identity: Upstream | undefined;
  /** Our own; one that was there already is not asked. */
  helpcenter: Upstream | undefined;
  anonymousReads: (read: AnonymousRead) => Promise<SharedAnswer>;
  /** What the gateway itself answers, by the language of the page. */
  ownAnswers: Partial<Record<Operation, (language: Language) => Promise<unknown>>>;
  log: FastifyBaseLogger;
};

/** How the answers of a call are read. */
const shapes = new Map<Operation, Shape>();

/**
 * Asks the services for everything a page needs, at the same time; leaves out what does not come soon. What they answer is
 * made to fit the contract here, so that pages are rendered from nothing else.
 */
export function createNeedsReader({
  anonymousReads,
  ownAnswers,
  log,
  ...services
}: Parts): (ask: Ask) => Promise<Answered[]> {
  /** Entries that could not be used, as last logged. */
  const dropped = new Map<Operation, number>();

  function answered(
    need: Need,
    language: Language,
    { status, body }: { status: number; body: Buffer },
  ): Answered {
    const envelope = jsonObject(body);
    if (status !== 200 || !isSuccess(envelope.code, contractRoute(need.operation).successCode)) {
      const code = isErrorCode(envelope.code) ? envelope.code : 'UPSTREAM_INVALID';
      const failure = foreignFailure(status, envelope) ?? { status, code };
      return { ...need, ok: false, ...failure, ...(failure.status === 200 && { status: 502 }) };
    }
    let count = 0;
    const data = tolerant(shapeFor(need.operation), envelope.data, language, () => {
      count += 1;
    });
    if (count !== (dropped.get(need.operation) ?? 0)) {
      dropped.set(need.operation, count);
      log.warn({ operation: need.operation, count }, 'unusable entries of an answer left out');
    }
    if (data !== undefined) return { ...need, ok: true, data };
    return { ...need, ok: false, status: 502, code: 'UPSTREAM_INVALID' };
  }

  async function answerOf(need: Need, ask: Ask): Promise<Answered | undefined> {
    const own = ownAnswers[need.operation];
    if (own) return { ...need, ok: true, data: await own(ask.language) };
    const route = contractRoute(need.operation);
    if (route.method !== 'GET') return undefined;
    const { path, query } = addressOf(route, need.payload);
    const target = path + (query.size > 0 ? `?${query}` : '');
    const { identity } = services;
    if (route.service === 'identity' && route.access === 'all' && identity) {
      return answered(
        need,
        ask.language,
        await askRead(identity, { path: target, headers: ask.headers, timeout: PATIENCE }),
      );
    }
    const service = isHelpcenterPath(path) ? 'helpcenter' : 'community';
    const upstream = services[service];
    if (route.service !== 'community' || !upstream) return undefined;
    const { cache } = route;
    if (cache !== undefined && ask.bearer === undefined) {
      const { language, headers } = ask;
      const target = sharedTarget(route, path, query);
      const shared = { upstream: service, cache, target, language, headers: () => headers } as const;
      return answered(need, language, await anonymousReads(shared));
    }
    const headers = {
      ...ask.headers,
      'accept-language': ask.language,
      ...(ask.bearer !== undefined && { authorization: `Bearer ${ask.bearer}` }),
    };
    const answer = await askRead(upstream, { path: target, headers, timeout: PATIENCE });
    const body = createTokenMask(wantedOf(ask.tokens), { readsEscapes: true }).whole(answer.body);
    const found = answered(need, ask.language, { ...answer, body });
    return found.ok && route.answersUser ? { ...found, data: withoutTokenFields(found.data) } : found;
  }

  const failed = (need: Need, error: unknown): Answered | undefined => {
    if (!isAppError(error)) throw error;
    if (error.code === 'UPSTREAM_TIMEOUT') return undefined;
    return { ...need, ok: false, status: error.statusCode, code: error.code };
  };
  return async (ask) => {
    const late = delay(PATIENCE, undefined, { ref: false });
    const all = ask.needs.map((need) =>
      Promise.race([answerOf(need, ask).catch((error: unknown) => failed(need, error)), late]),
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
function addressOf(route: Route, payload: Need['payload']): { path: string; query: URLSearchParams } {
  const query = new URLSearchParams(Object.entries(payload).map(([name, value]) => [name, String(value)]));
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = query.get(name) ?? '';
    query.delete(name);
    return encodeURIComponent(value);
  });
  return { path, query };
}
