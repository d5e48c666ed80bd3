import { setTimeout as delay } from 'node:timers/promises';
import type { Answered, Need } from '../../../shared/boot.ts';
import { contract, type Operation } from '../../../shared/contract.ts';
import { isErrorCode } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import { isAppError } from '../../http/errors.ts';
import { type AnonymousRead, sharedTarget } from '../answers/anonymous-reads.ts';
import type { SharedAnswer } from '../answers/shared-answer.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { withoutTokenFields } from '../proxy/token-fields.ts';
import { createTokenMask, wantedOf } from '../proxy/token-mask.ts';
import { askRead, isObject, jsonObject } from '../upstream/ask.ts';
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

/** What the gateway itself answers, by the language of the page. */
export type OwnAnswers = Partial<Record<Operation, (language: Language) => Promise<unknown>>>;

/**
 * Asks the services for everything a page needs, at the same time; leaves out what does not come soon. Identity, where
 * there is one to ask, tells what is open to all. A help center that is not our own is not asked.
 */
export function createNeedsReader(
  services: { community: Upstream; identity: Upstream | undefined; helpcenter: Upstream | undefined },
  anonymousReads: (read: AnonymousRead) => Promise<SharedAnswer>,
  ownAnswers: OwnAnswers = {},
): (ask: Ask) => Promise<Answered[]> {
  async function answerOf(need: Need, ask: Ask): Promise<Answered | undefined> {
    const own = ownAnswers[need.operation];
    if (own) return { ...need, ok: true, data: await own(ask.language) };
    const route: Route = contract[need.operation];
    if (route.method !== 'GET') return undefined;
    const { path, query } = addressOf(route, need.payload);
    const target = path + (query.size > 0 ? `?${query}` : '');
    const { identity } = services;
    if (route.service === 'identity' && route.access === 'all' && identity) {
      return answered(
        need,
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
      return answered(need, await anonymousReads(shared));
    }
    const headers = {
      ...ask.headers,
      'accept-language': ask.language,
      ...(ask.bearer !== undefined && { authorization: `Bearer ${ask.bearer}` }),
    };
    const answer = await askRead(upstream, { path: target, headers, timeout: PATIENCE });
    const body = createTokenMask(wantedOf(ask.tokens), { readsEscapes: true }).whole(answer.body);
    const found = answered(need, { ...answer, body });
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

function answered(need: Need, { status, body }: { status: number; body: Buffer }): Answered {
  const envelope = jsonObject(body);
  const isSuccess = status === 200 && (envelope.code === 0 || envelope.code === 200);
  if (isSuccess && isObject(envelope.data)) return { ...need, ok: true, data: envelope.data };
  const code = isErrorCode(envelope.code) ? envelope.code : 'UPSTREAM_INVALID';
  return { ...need, ok: false, status: status === 200 ? 502 : status, code };
}
