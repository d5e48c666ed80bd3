import { isDeepStrictEqual } from 'node:util';
import { LANGUAGES } from '../../../shared/languages.ts';
import { insertPlugin, insertSubmission, supersedeWaiting } from '../../community/publish/store.ts';
import type { Db, StoredListing } from '../../community/schema.ts';
import { writeLiveListing } from '../../community/submissions/live-listing.ts';
import { startError } from '../../database/start-error.ts';
import type { BundledPlugin, BundledVersion } from './contents.ts';
import { lockPluginByKey, passNewest, passVersion, readPlugins, readVersionIds } from './store.ts';

/** What came of one plugin of a bundle. */
export type Outcome = 'added' | 'changed' | 'unchanged' | 'deleted here';

type Given = { publisherId: number; at: Date };

/**
 * Brings one plugin as the bundle has it. One that is here gets the versions it lacks and the bundle's listing; what is
 * here already is left alone, and so is a plugin that was deleted here.
 */
export async function importPlugin(
  trx: Db,
  plugin: BundledPlugin,
  { publisherId, at }: Given,
): Promise<Outcome> {
  const listing = listingOf(plugin);
  const found = await lockPluginByKey(trx, plugin.plugin_key);
  if (found?.is_deleted) return 'deleted here';
  const [before] = found ? await readPlugins(trx, [plugin.plugin_key]) : [];
  const given = { key: plugin.plugin_key, publisherId, externalId: plugin.external_id, listing, at };
  const pluginId = found?.id ?? (await insertPlugin(trx, given));
  const userId = found?.publisher_id ?? publisherId;
  const known = await readVersionIds(trx, pluginId);
  const added = plugin.versions.filter(({ version }) => !known.has(version));
  const isSame = isDeepStrictEqual(before?.listing, plugin.listing);
  if (isSame && added.length === 0) return 'unchanged';
  for (const version of added)
    known.set(version.version, await addVersion(trx, version, { pluginId, userId, at }));
  const versionId = known.get(plugin.current_version);
  if (versionId === undefined)
    throw startError(`The bundle lacks the current version of ${plugin.plugin_key}.`);
  await supersedeWaiting(trx, pluginId);
  const bringsVersion = added.length > 0;
  const about = { pluginId, versionId, userId, at };
  await insertSubmission(trx, { ...about, bringsVersion, isFirst: !found, listing, findings: [] });
  await writeLiveListing(trx, pluginId, listing);
  await passNewest(trx, { pluginId, versionId, at });
  return found ? 'changed' : 'added';
}

type Owner = { pluginId: number; userId: number; at: Date };

async function addVersion(
  trx: Db,
  version: BundledVersion,
  { pluginId, userId, at }: Owner,
): Promise<number> {
  const { id } = await trx
    .insertInto('plugin_version')
    .values({
      plugin_id: pluginId,
      version: version.version,
      kind: version.kind,
      note: JSON.stringify(version.note),
      package_key: version.package_key,
      package_bytes: version.package_bytes,
      package_manifest: version.package_manifest === null ? null : JSON.stringify(version.package_manifest),
      allowed_domains: version.allowed_domains,
      findings: JSON.stringify(version.findings),
      created_by: userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await passVersion(trx, { versionId: id, isHidden: version.is_hidden, bytes: version.package_bytes });
  return id;
}

function listingOf({ plugin_key, listing }: BundledPlugin): StoredListing {
  const language = LANGUAGES.find((lang) => lang === listing.default_lang);
  if (!language) throw startError(`The bundle has ${plugin_key} in an unknown language.`);
  return { ...listing, default_lang: language };
}
