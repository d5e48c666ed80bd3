import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type {
  MediaItem,
  PluginDetail,
  PluginVersion,
  Unpublished,
} from '../../../../shared/entities/plugin.ts';
import { completeLanguages, type Language, textIn } from '../../../../shared/languages.ts';
import { fileUrl } from '../../../../shared/media.ts';
import { readHostRanges, withSpans, worksIn } from '../../../../shared/package/hosts.ts';
import { permissionChanges, rightsOf } from '../../../../shared/package/permission-changes.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { descriptionIn } from '../../descriptions.ts';
import { languageOf } from '../../language.ts';
import { factsIn } from '../../listing-facts.ts';
import { visitorOrCaller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { toDeprecation } from '../deprecation/deprecated.ts';
import { hostOf, type InstallationReader, readInstallations } from '../installations/installations.ts';
import { updatePolicyNow } from '../installations/update-age.ts';
import type { MissedSearches } from '../missed-searches/missed.ts';
import { listFacets } from '../search/facets.ts';
import { readRemovedPlugin } from '../withdrawal/removed-store.ts';
import { toWithdrawal } from '../withdrawal/withdrawn.ts';
import { findSeenPlugin } from './access.ts';
import { readCardRows } from './card-store.ts';
import { type Reader, toCard, toTag } from './cards.ts';
import { createKnownWords, listPlugins, listRecommended, readPublisherNews } from './list.ts';
import {
  type DetailRow,
  type MediaRow,
  readDetailRow,
  readMediaRows,
  readTags,
  readVersionRows,
} from './store.ts';

const UNPUBLISHED_BY = { 1: 'waiting', 2: 'hidden', 3: 'rejected' } as const satisfies Record<
  1 | 2 | 3,
  Unpublished
>;

/** @throws PLUGIN_WITHDRAWN with reason and text for what everybody could see before, else the given error */
async function refuseRemoved(
  db: Db,
  pluginKey: string,
  { error, language }: { error: unknown; language: Language },
): Promise<never> {
  const removed = await readRemovedPlugin(db, pluginKey);
  if (!removed) throw error;
  throw appError('PLUGIN_WITHDRAWN', { data: toWithdrawal(removed, language) });
}

/** @throws PLUGIN_NOT_FOUND, PLUGIN_WITHDRAWN */
async function readPlugin(
  db: Db,
  pluginKey: string,
  reader: Reader & InstallationReader,
): Promise<PluginDetail> {
  const { id } = await findSeenPlugin(db, pluginKey, reader.caller).catch((error: unknown) =>
    refuseRemoved(db, pluginKey, { error, language: reader.language }),
  );
  const userId = reader.caller?.user_id ?? null;
  const [[card], detail, media, installations] = await Promise.all([
    readCardRows(db, [id], userId),
    readDetailRow(db, id),
    readMediaRows(db, id),
    userId === null ? undefined : readInstallations(db, userId, { ids: [id] }, reader),
  ]);
  if (!card || !detail) throw appError('PLUGIN_NOT_FOUND');
  const support = textIn(detail.support, reader.language, card.default_lang);
  const isAuthor = detail.copyright_kind === 'author';
  const installation = installations?.get(id)?.installation ?? null;
  const declared = detail.manifest === null ? null : rightsOf(detail.manifest, detail.allowed_domains ?? []);
  return {
    ...toCard(card, reader.language),
    is_installed: installation !== null,
    version: detail.version,
    ...descriptionIn(
      { description: detail.descriptions, markdown: detail.markdown },
      reader.language,
      card.default_lang,
    ),
    ...factsIn(detail, reader.language, card.default_lang),
    added_rights: addedRights(detail),
    releases: detail.releases && {
      first_at: new Date(detail.releases.first_at).toISOString(),
      latest_at: new Date(detail.releases.latest_at).toISOString(),
      last_year: detail.releases.last_year,
    },
    languages: completeLanguages([card.names, card.intros, detail.descriptions]),
    media: media.map(toMediaItem),
    panel: detail.panel,
    contact: detail.contact,
    support: support.text,
    support_lang: support.lang,
    copyright: {
      kind: detail.copyright_kind,
      holder: isAuthor ? card.publisher.nick_name : detail.copyright_holder,
    },
    allowed_domains: detail.allowed_domains,
    permissions: declared?.permissions ?? null,
    editor_types: declared?.editors ?? null,
    hosts: withSpans(readHostRanges(detail.host_range)),
    package_bytes: detail.package_bytes,
    active_count: card.active_count,
    ...detail.proof,
    audit_status: detail.audit_status,
    ...(!detail.is_visible && {
      unpublished: detail.withdrawal ? 'withdrawn' : UNPUBLISHED_BY[detail.audit_status],
    }),
    ...(detail.withdrawal && { withdrawal: toWithdrawal(detail.withdrawal, reader.language) }),
    ...(detail.deprecation && { deprecation: toDeprecation(detail.deprecation, reader.language) }),
    ...(installation && { installation }),
    created_at: detail.created_at.toISOString(),
  };
}

/** What a version asks for beyond the one before it; null without one. */
function addedRights({ manifest, allowed_domains, version_before: before }: DetailRow) {
  if (!before || manifest === null) return null;
  const { domains, permissions } = permissionChanges(
    rightsOf(before.manifest, before.domains),
    rightsOf(manifest, allowed_domains ?? []),
  );
  return { since: before.version, domains: domains.added, permissions: permissions.added };
}

/** @throws PLUGIN_NOT_FOUND */
async function listVersions(
  db: Db,
  pluginKey: string,
  { host, ...reader }: Reader & Pick<InstallationReader, 'host'>,
): Promise<PluginVersion[]> {
  const { id, isOwn } = await findSeenPlugin(db, pluginKey, reader.caller);
  const rows = await readVersionRows(db, id, isOwn);
  const versions = rows.map(({ host_range, ...row }) => ({ ...row, hosts: readHostRanges(host_range) }));
  const shown = versions.filter(({ hosts }) => !host || worksIn(hosts, host));
  return shown.map(
    ({ hosts, note, default_lang, created_at, is_hidden_by_admin, withdrawal, proof, ...version }) => {
      const { text, lang } = textIn(note, reader.language, default_lang);
      const state = {
        ...(is_hidden_by_admin && { is_hidden_by_admin }),
        ...(withdrawal && { withdrawal: toWithdrawal(withdrawal, reader.language) }),
      };
      return {
        ...version,
        ...state,
        hosts: withSpans(hosts),
        ...proof,
        note: text,
        lang,
        created_at: created_at.toISOString(),
      };
    },
  );
}

function toMediaItem(row: MediaRow): MediaItem {
  return row.picture
    ? { kind: 'image', picture: row.picture, ...(row.is_before && { is_before: true }) }
    : { kind: 'video', url: fileUrl(`${row.file_key}.${row.extension}`), mime_type: row.mime_type };
}

/** Lists with their filters, tags, details, versions and recommendations. */
export function pluginsRoutes(app: FastifyInstance, missed: Pick<MissedSearches, 'note'>): void {
  const { db, community, clock: now } = app;
  const { japanese } = community;
  const known = createKnownWords({ perf: community.perf });
  implement(app, contract.listPlugins, ({ query, request }) =>
    listPlugins({ db, known, missed, japanese, now }, query, readerOf(request)),
  );
  implement(app, contract.listFacets, async ({ query, request }) => {
    const readings = await japanese.readKeyword(query.keyword, languageOf(request));
    return { facet_list: await listFacets(db, query, now(), readings) };
  });
  implement(app, contract.listTags, async ({ request }) => {
    const tags = await readTags(db);
    return { tag_list: tags.map((tag) => toTag(tag, languageOf(request))) };
  });
  implement(app, contract.readPlugin, ({ query, request }) =>
    readPlugin(db, query.plugin_key, { ...readerOf(request), updates: updatePolicyNow(app) }),
  );
  implement(app, contract.listVersions, async ({ query, request }) => ({
    version_list: await listVersions(db, query.plugin_key, { ...readerOf(request), host: hostOf(query) }),
  }));
  implement(app, contract.listRecommended, ({ query, request }) =>
    listRecommended(db, query.page, readerOf(request)),
  );
  implement(app, contract.readPublisherNews, ({ query, request }) =>
    readPublisherNews(db, query.publisher_id, readerOf(request)),
  );
}

/** Who asks, and in which language. */
export function readerOf(request: FastifyRequest): Reader {
  return { caller: visitorOrCaller(request), language: languageOf(request) };
}
