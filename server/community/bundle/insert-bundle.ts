import { isDeepStrictEqual } from 'node:util';
import { AUDIT_PASSED } from '../../../shared/constants.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { startError } from '../../database/errors.ts';
import { hasOnlyWebLinks } from '../../markdown/description.ts';
import { setDeprecated } from '../catalogue/deprecation/store.ts';
import { findUsable } from '../catalogue/plugins/store.ts';
import { writeLiveListing } from '../catalogue/submissions/listings.ts';
import { writeAuditLog } from '../people/audit-log/store.ts';
import { insertPlugin, insertSubmission, supersedeWaiting } from '../publishing/publish/store.ts';
import { insertDecision } from '../review/decisions/store.ts';
import type { Db, StoredListing } from '../schema.ts';
import type { Bundle, BundledPlugin } from './contents.ts';
import {
  approveSubmission,
  insertApprovedVersion,
  insertFileRows,
  insertMissingMarks,
  insertMissingTags,
  insertPictureRows,
  lockPluginByKey,
  publishVersion,
  readPlugins,
  readVersionIds,
} from './store.ts';

/** Whose the plugins become, and what is known of their past. */
export type Given = {
  at: Date;
  /** Public key of the deployment that signed the bundle. */
  trusted: string;
  /** The publisher of a new plugin. */
  publisherOf: (key: string) => number;
  /**
   * When a version was submitted and approved. Each version then has a submission of its own; without it, all of a plugin
   * come with one. Plugins that exist stay as they are.
   */
  timesOf?: (key: string, version: string) => { submittedAt: Date; decidedAt: Date };
  /** Who has approved the versions with such times. */
  reviewerId?: number;
  onPlugin: () => Promise<void>;
};

/** Result of importing one plugin. */
export type Outcome = 'added' | 'changed' | 'unchanged' | 'deleted here';

/** Inserts the rows of a bundle; to be called in a transaction. */
export async function insertBundle(trx: Db, bundle: Bundle, given: Given): Promise<Map<string, Outcome>> {
  await insertMissingTags(trx, bundle.tags);
  await insertMissingMarks(trx, bundle.marks ?? []);
  await insertPictureRows(trx, bundle.pictures, given.at);
  await insertFileRows(trx, bundle.files, given.at);
  const outcomes = new Map<string, Outcome>();
  for (const plugin of bundle.plugins) {
    const outcome = await importPlugin(trx, plugin, given);
    outcomes.set(plugin.plugin_key, outcome);
    if (outcome === 'added' || outcome === 'changed') await logImport(trx, plugin, { ...given, outcome });
    await given.onPlugin();
  }
  // A successor may come after what it replaces.
  for (const plugin of bundle.plugins)
    if (outcomes.get(plugin.plugin_key) === 'added') await deprecateImported(trx, plugin, given.at);
  return outcomes;
}

/** A new plugin is deprecated as it was where it comes from; of one that was here before, its publisher decides here. */
async function deprecateImported(
  trx: Db,
  { plugin_key: pluginKey, deprecation }: BundledPlugin,
  at: Date,
): Promise<void> {
  if (!deprecation) return;
  const plugin = await lockPluginByKey(trx, pluginKey);
  if (!plugin) return;
  const { successor, texts } = deprecation;
  const successorId = (successor !== null && (await findUsable(trx, successor))) || null;
  await setDeprecated(trx, plugin.id, { successorId, texts }, at);
}

/** The operator has no user id; the entry names the publisher. */
async function logImport(
  trx: Db,
  plugin: BundledPlugin,
  { publisherOf, trusted, outcome }: Given & { outcome: Outcome },
): Promise<void> {
  const { plugin_key, current_version } = plugin;
  const { name: names, default_lang } = listingOf(plugin);
  await writeAuditLog(trx, {
    actorId: publisherOf(plugin_key),
    action: 'plugin.import',
    targetKind: 'plugin',
    targetId: plugin_key,
    targetName: { names, default_lang },
    detail: { outcome, version: current_version, signed_by: trusted },
  });
}

/**
 * Imports one plugin. An existing one gets the missing versions and the bundle's listing; its existing versions do not
 * change. A plugin that was deleted here stays deleted.
 */
async function importPlugin(
  trx: Db,
  plugin: BundledPlugin,
  { publisherOf, timesOf, reviewerId, at }: Given,
): Promise<Outcome> {
  const { plugin_key: key, external_id: externalId } = plugin;
  const listing = listingOf(plugin);
  const found = await lockPluginByKey(trx, key);
  if (found?.is_deleted) return 'deleted here';
  if (found && timesOf) return 'unchanged';
  const [before] = found ? await readPlugins(trx, [key]) : [];
  const userId = found?.publisher_id ?? publisherOf(key);
  const [first] = plugin.versions;
  const createdAt = first && timesOf ? timesOf(key, first.version).submittedAt : at;
  const given = { key, publisherId: userId, externalId, listing, at: createdAt };
  const pluginId = found?.id ?? (await insertPlugin(trx, given));
  const known = found ? await readVersionIds(trx, pluginId) : new Map<string, number>();
  const added = plugin.versions.filter(({ version }) => !known.has(version));
  const isSame = isDeepStrictEqual(before?.listing, plugin.listing);
  if (isSame && added.length === 0) return 'unchanged';
  await writeLiveListing(trx, pluginId, listing);
  const submit = async (versionId: number, isFirst: boolean, submittedAt: Date, decidedAt: Date) => {
    const includesVersion = added.length > 0;
    const about = {
      pluginId,
      versionId,
      userId,
      at: submittedAt,
      includesVersion,
      isFirst,
      listing,
    };
    const submissionId = await insertSubmission(trx, { ...about, findings: [] });
    if (reviewerId === undefined) await approveSubmission(trx, submissionId, decidedAt);
    else
      await insertDecision(trx, {
        submissionId,
        auditStatus: AUDIT_PASSED,
        reason: null,
        reviewerId,
        at: decidedAt,
      });
  };
  let shownAt = at;
  for (const version of added) {
    const times = timesOf?.(key, version.version);
    const about = { pluginId, userId, at: times?.submittedAt ?? at };
    const versionId = await insertApprovedVersion(trx, version, about);
    known.set(version.version, versionId);
    if (!times) continue;
    await submit(versionId, version === first, times.submittedAt, times.decidedAt);
    shownAt = times.decidedAt;
  }
  const versionId = known.get(plugin.current_version);
  if (versionId === undefined) throw startError(`The bundle lacks the current version of ${key}.`);
  if (!timesOf) {
    await supersedeWaiting(trx, pluginId);
    await submit(versionId, !found, at, at);
  }
  await publishVersion(trx, { pluginId, versionId, at: shownAt });
  return found ? 'changed' : 'added';
}

/** @throws start error for a language that this release does not know, and for links that no description has */
export function listingOf({
  plugin_key,
  listing,
}: Pick<BundledPlugin, 'plugin_key' | 'listing'>): StoredListing {
  const described = Object.values(listing.description_markdown ?? {});
  if (!described.every(({ blocks }) => hasOnlyWebLinks(blocks)))
    throw startError(
      `The description of ${plugin_key} in the bundle links to something else than web pages.`,
    );
  return { ...listing, default_lang: languageOf(listing.default_lang, plugin_key) };
}

/** @throws start error for a language that this release does not know */
export function languageOf(name: string, what = 'its pages'): Language {
  const language = LANGUAGES.find((lang) => lang === name);
  if (!language) throw startError(`The bundle has ${what} in an unknown language.`);
  return language;
}
