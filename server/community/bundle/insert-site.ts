import { AUDIT_REFUSED, BASE_PATH, COLLECTION_LIMITS } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import { writeLiveListing } from '../catalogue/submissions/listings.ts';
import { lockSubmission } from '../catalogue/submissions/store.ts';
import { insertBanner } from '../curation/banners/store.ts';
import { insertWork, writeActivity } from '../curation/featured/store.ts';
import { insertSlot } from '../curation/slots/store.ts';
import { insertPlugin, insertSubmission, updateSubmittedPlugin } from '../publishing/publish/store.ts';
import { rejectSubmission } from '../review/decisions/effects.ts';
import { insertDecision, readSnapshot } from '../review/decisions/store.ts';
import type { Db } from '../schema.ts';
import { newKey } from '../use/collections/collections.ts';
import { EDITORS_MAX } from '../use/collections/editors.ts';
import { findKeyBySlug, insertEditors } from '../use/collections/editors-store.ts';
import { insertCollected, touchCollection } from '../use/collections/store.ts';
import { languageOf, listingOf } from './insert-bundle.ts';
import type { Site, SiteSubmission } from './site.ts';
import { insertCounters, insertRecommended, readImported } from './site-store.ts';
import { insertFileRows, insertPictureRows, insertWaitingVersion } from './store.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const REVIEW_TIME = 120 * MINUTE;
const SLOT_TIME = 365 * DAY;

/** Which plugins were just added, and the time in milliseconds since 1970. */
type Import = { added: ReadonlySet<string>; now: number };

/** When something was submitted and decided that many minutes before the import. */
export function timesBefore(now: number, minutesAgo = 0): { submittedAt: Date; decidedAt: Date } {
  const at = now - minutesAgo * MINUTE;
  return { submittedAt: new Date(at), decidedAt: new Date(Math.min(now, at + REVIEW_TIME)) };
}

/** Inserts counters, daily figures, recommendations and slots of the plugins that were added. */
export async function insertPast(trx: Db, site: Site, { added, now }: Import): Promise<void> {
  const keys = (all: readonly string[]) => all.filter((key) => added.has(key));
  const weekday = new Date(now - DAY).getUTCDay() || 7;
  const plugins = Object.entries(site.plugins).filter(([key]) => added.has(key));
  await insertCounters(
    trx,
    plugins.map(([plugin_key, { days, praise_count, install_count, view_count }]) => ({
      ...{ plugin_key, praise_count, install_count, view_count },
      days: Object.entries(days).flatMap(([figure, totals]) => {
        const fitting = totals.slice(0, totals.length - ((totals.length - weekday) % 7));
        return fitting.map((total, index) => ({ figure, total, ago: fitting.length - index }));
      }),
    })),
  );
  await insertRecommended(trx, keys(site.recommended));
  const [start_at, end_at] = [new Date(now), new Date(now + SLOT_TIME)];
  for (const key of keys(site.slots)) {
    const plugin = await readImported(trx, key);
    if (!plugin) continue;
    const link = `${BASE_PATH}plugin/${key}`;
    const created = { created_by: site.administrator_id, created_at: start_at };
    await insertSlot(trx, { plugin_id: plugin.id, link, start_at, end_at, ...created });
  }
}

/** Inserts what waits for review or was rejected, of new plugins and of those that were added. */
export async function insertSubmissions(trx: Db, site: Site, { added, now }: Import): Promise<void> {
  await insertPictureRows(trx, site.pictures, new Date(now));
  await insertFileRows(trx, site.files, new Date(now));
  for (const submission of site.submissions) {
    const plugin = await readImported(trx, submission.plugin_key);
    if (plugin && !added.has(submission.plugin_key)) continue;
    const times = timesBefore(now, submission.minutes_ago);
    const submissionId = await insertOne(trx, submission, { plugin, at: times.submittedAt });
    const { reason } = submission;
    if (reason === null || submissionId === undefined) continue;
    await reject(trx, { submissionId, reason, reviewerId: site.administrator_id, at: times.decidedAt });
  }
}

/** @returns its id */
async function insertOne(
  trx: Db,
  { plugin_key: key, external_id: externalId, publisher_id: userId, version, ...submission }: SiteSubmission,
  { plugin, at }: { plugin: Awaited<ReturnType<typeof readImported>>; at: Date },
): Promise<number | undefined> {
  const listing = listingOf({ plugin_key: key, listing: submission.listing });
  const given = { key, publisherId: userId, externalId, listing, at };
  const pluginId = plugin?.id ?? (await insertPlugin(trx, given));
  const versionId = version
    ? await insertWaitingVersion(trx, version, { pluginId, userId, at })
    : plugin?.current_version_id;
  if (!versionId) return undefined;
  const about = { pluginId, versionId, userId, at, includesVersion: version !== null, isFirst: !plugin };
  const bytes = version?.package_bytes ?? 0;
  await updateSubmittedPlugin(trx, { pluginId, bytes, at, hasPassed: plugin !== undefined });
  if (!plugin) await writeLiveListing(trx, pluginId, listing);
  return insertSubmission(trx, { ...about, listing, findings: submission.findings });
}

type Rejection = { submissionId: number; reason: string; reviewerId: number; at: Date };

async function reject(trx: Db, { submissionId, reason, reviewerId, at }: Rejection): Promise<void> {
  const submission = await lockSubmission(trx, submissionId);
  const snapshot = await readSnapshot(trx, submissionId, reviewerId);
  if (!submission || !snapshot) return;
  await insertDecision(trx, { submissionId, auditStatus: AUDIT_REFUSED, reason, reviewerId, at });
  await rejectSubmission(trx, submission, snapshot, at.getTime());
}

/** Inserts the editors' collections, banners, featured works and the activity. */
export async function insertPages(trx: Db, site: Site, now: number): Promise<void> {
  const default_lang = languageOf(site.default_lang);
  const created_by = site.administrator_id;
  for (const collection of site.collections)
    await insertCollection(trx, { ...collection, default_lang }, new Date(now));
  for (const banner of site.banners) await insertBanner(trx, { ...banner, default_lang, created_by });
  for (const work of site.works) await insertWork(trx, { ...work, default_lang, is_hidden: false });
  const { id, ...activity } = site.activity;
  await writeActivity(trx, id, { ...activity, is_hidden: false });
}

type SiteCollection = Site['collections'][number] & { default_lang: Language };

/** Publishes a collection with those of its plugins that are here; one with the same address stays as it is. */
async function insertCollection(trx: Db, { plugins, ...texts }: SiteCollection, at: Date): Promise<void> {
  if ((await findKeyBySlug(trx, texts.slug)) !== undefined) return;
  const content = { ...texts, key: newKey(), picture_key: null, is_published: true };
  const id = await insertEditors(trx, content, { at, limit: EDITORS_MAX });
  if (id === undefined) return;
  for (const key of plugins) {
    const plugin = await readImported(trx, key);
    if (plugin)
      await insertCollected(trx, { id, pluginId: plugin.id }, { at, limit: COLLECTION_LIMITS.plugins });
  }
  await touchCollection(trx, id, at);
}
