import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { REMOVED_FEED_PATH, REMOVED_PATH } from '../../../shared/constants.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import { addressIn, type Language } from '../../../shared/languages.ts';
import { pluginRoutes } from '../../../shared/routes/plugin.ts';
import { appError } from '../../http/errors.ts';
import { cachedResponse } from '../cache/response-cache.ts';
import { jsonObject, readUpstream } from '../upstream.ts';

/** Milliseconds for which a feed is cached: readers ask some times an hour, and news must not be old. */
const LIFETIME = 30_000;
/** Not for shared caches: the address is the same in all languages. */
const HEADERS = { 'cache-control': 'private, max-age=30' };
const ENTRIES = 50;

/** The texts of the feed, from the language packs. */
const Texts = Type.Object({ removed: Type.Record(Type.String(), Type.String()) });
const texts = Compile(Texts);

const Answer = Type.Object({ data: pluginRoutes.listRemoved.data });
const answer = Compile(Answer);
type Removed = Static<typeof Answer>['data']['removed_list'][number];

/** The latest removed plugins as an Atom feed (RFC 4287), in the reader's language. */
export async function removedFeed(app: FastifyInstance): Promise<void> {
  const { languages, publicUrl } = app.gateway.config;
  const packs = new Map(languages.map((language) => [language, textsIn(language)]));
  app.get(REMOVED_FEED_PATH, async (request, reply) => {
    const { language } = request;
    const pack = packs.get(language);
    if (!pack) throw appError('NOT_FOUND');
    const response = await app.caches.crawlers.get(`removed ${language}`, LIFETIME, {
      load: async () => {
        const list = await readRemoved(app, language);
        const body = feedOf(list, { language, texts: pack, publicUrl });
        return cachedResponse(200, 'application/atom+xml; charset=utf-8', Buffer.from(body));
      },
      mayLoad: () => request.consume('anonymous'),
    });
    return reply.headers(HEADERS).sendCached(response, 'crawlers');
  });
}

type Pack = Static<typeof Texts>['removed'];

function textsIn(language: Language): Pack {
  const file = new URL(`../../../locales/${language}.json`, import.meta.url);
  return texts.Parse(JSON.parse(readFileSync(file, 'utf8'))).removed;
}

/** @throws AppError UPSTREAM_*; NOT_FOUND if the service has no such list */
async function readRemoved(app: FastifyInstance, language: Language): Promise<Removed[]> {
  const { status, body } = await readUpstream(app.upstreams.community, {
    path: `${pluginRoutes.listRemoved.path}?limit=${ENTRIES}`,
    headers: { accept: 'application/json', 'accept-language': language },
  });
  if (status === 404) throw appError('NOT_FOUND');
  const found = jsonObject(body);
  if (status !== 200 || !answer.Check(found)) throw appError('UPSTREAM_INVALID');
  return found.data.removed_list;
}

type Feed = { language: Language; texts: Pack; publicUrl: string };

/** The document. All values are escaped, and texts are plain: no reader takes them for markup. */
export function feedOf(list: readonly Removed[], { language, texts: t, publicUrl }: Feed): string {
  const authority = new URL(publicUrl).hostname;
  const text = (name: string, value: string): string =>
    `<${name} type="text">${escapeMarkup(value)}</${name}>`;
  const link = (rel: string, path: string, type: string): string =>
    `<link rel="${rel}" type="${type}" href="${escapeMarkup(addressIn(path, language, publicUrl))}"/>`;
  const entries = list.map((one) => {
    const { id, name, version, reason, text: what, must_stop, withdrawn_at } = one;
    const versionText = version === null ? '' : ` ${version}`;
    const advice = t[must_stop ? 'must_stop_text' : 'may_keep_text'] ?? '';
    const page = addressIn(REMOVED_PATH, language, publicUrl);
    return [
      `<entry><id>tag:${authority},2026:removed/${id}</id>`,
      text('title', `${name}${versionText}: ${t[`reason_${reason}`] ?? reason}`),
      `<updated>${escapeMarkup(withdrawn_at)}</updated>`,
      `<link rel="alternate" type="text/html" href="${escapeMarkup(`${page}#removed-${id}`)}"/>`,
      `<category term="${escapeMarkup(reason)}"/>`,
      text('content', `${what}\n\n${advice}`),
      '</entry>\n',
    ].join('');
  });
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">\n`,
    `<id>tag:${authority},2026:removed</id>`,
    text('title', t.title ?? ''),
    text('subtitle', t.lead ?? ''),
    // An empty feed needs a time too (RFC 4287 section 4.1.1); it has never changed.
    `<updated>${escapeMarkup(list[0]?.withdrawn_at ?? '2026-01-01T00:00:00.000Z')}</updated>`,
    `<author><name>${escapeMarkup(authority)}</name></author>`,
    link('self', REMOVED_FEED_PATH, 'application/atom+xml'),
    link('alternate', REMOVED_PATH, 'text/html'),
    `\n${entries.join('')}</feed>\n`,
  ].join('');
}
