import { contract } from '../../../shared/contract.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import type { UpstreamNote } from '../request-record.ts';
import { askRead, headerOf, jsonObject } from '../upstream/ask.ts';
import type { Upstreams } from '../upstream/upstream.ts';
import type { AnswerCache } from './answer-cache.ts';
import { type SharedAnswer, sharedAnswer } from './shared-answer.ts';

export type AnonymousRead = {
  /** The service that answers. */
  upstream: 'community' | 'helpcenter';
  /** Seconds that the contract lets an answer be kept. */
  cache: number;
  /** Path and query in their one spelling, see `sharedTarget`. */
  target: string;
  language: Language;
  /** Headers of the call to the service, when one has to be made. */
  headers: () => Record<string, string>;
  /** Told of the call to the service, when one had to be made for this read. */
  note?: (upstream: UpstreamNote) => void;
};

/** A service's own word on an answer goes before the contract's (RFC 9111 section 5.2.2). */
const FORBIDS_KEEPING = /(?:^|[\s,])(?:no-store|private)(?=$|[\s,=])/i;

/**
 * Reads without a session that the contract marks cacheable: asked for once however many want it, kept for the
 * contract's seconds by path, known query parameters in a fixed order, and language; so never across
 * languages, and never for a session.
 * @param onTags told with each list of tags whether there are any
 */
export function createAnonymousReads(
  cache: AnswerCache,
  upstreams: Pick<Upstreams, AnonymousRead['upstream']>,
  onTags: (hasTags: boolean) => void = () => undefined,
): (read: AnonymousRead) => Promise<SharedAnswer> {
  return ({ upstream, cache: seconds, target, language, headers, note }) => {
    const fetchOnce = async (): Promise<SharedAnswer> => {
      const started = performance.now();
      const answer = await askRead(upstreams[upstream], {
        path: target,
        headers: { ...headers(), 'accept-language': language, accept: 'application/json' },
      });
      const total_ms = Math.round(performance.now() - started);
      note?.({ name: upstream, attempts: 1, status: answer.status, total_ms });
      if (target === contract.listTags.path && answer.status === 200) {
        const { tag_list } = Object(jsonObject(answer.body).data);
        if (Array.isArray(tag_list)) onTags(tag_list.length > 0);
      }
      const contentType = headerOf(answer.headers, 'content-type') ?? 'application/octet-stream';
      const mayKeep = !FORBIDS_KEEPING.test(headerOf(answer.headers, 'cache-control') ?? '');
      return sharedAnswer(answer.status, contentType, answer.body, mayKeep);
    };
    return cache.take(`${language} ${target}`, seconds * 1000, fetchOnce);
  };
}

/**
 * What goes upstream and into the key. Only what the contract knows is in it, in a fixed order: nobody fills the store
 * with invented parameters.
 */
export function sharedTarget(route: Route, path: string, query: URLSearchParams): string {
  const known = Object.keys(route.query?.properties ?? {})
    .sort()
    .flatMap((name) => query.getAll(name).map((value) => [name, value]));
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`;
}
