import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Value } from 'typebox/value';
import { LANGUAGES } from '../../../shared/languages.ts';
import { startFilling, type Tell, tellEachPart } from '../../community/catalogue/filling/filling.ts';
import { writeLiveListing } from '../../community/catalogue/submissions/listings.ts';
import type { FileStore } from '../../community/files/media/files.ts';
import { writeTrail } from '../../community/people/trail/store.ts';
import {
  insertPlugin,
  insertSubmission,
  supersedeWaiting,
} from '../../community/publishing/publish/store.ts';
import type { Db, StoredListing } from '../../community/schema.ts';
import { SWEEP_LOCK } from '../../community/sweep/store.ts';
import { liftTimeouts, withLock } from '../../database/advisory-lock.ts';
import { startError } from '../../database/errors.ts';
import { collect, type Entry, readArchive } from '../archive.ts';
import { fileOfEntry } from '../backup/contents.ts';
import { type Bundle, type BundledPlugin, bundleSchema, filesOf, PLUGINS } from './contents.ts';
import { assertSigned } from './signing-key.ts';
import {
  approveLatest,
  insertApprovedVersion,
  insertFileRows,
  insertMissingMarks,
  insertMissingTags,
  insertPictureRows,
  isUserKnown,
  lockPluginByKey,
  readPlugins,
  readVersionIds,
} from './store.ts';

type ImportOptions = {
  db: Db;
  files: FileStore;
  /** Milliseconds since 1970. */
  now: () => number;
  file: string;
  /** Public key of the deployment that must have signed the bundle. */
  trusted: string;
  /** The user who becomes the publisher of new plugins. */
  publisherId: number;
  /** Gets lines about its progress. */
  tell: Tell;
};

/**
 * Imports the plugins of a bundle: files first, then everything else in one transaction. Plugins and versions that were
 * imported before do not change.
 * @throws start error when the archive is truncated, changed or signed with another key, or the publisher is unknown;
 * nothing is imported then
 */
export async function importBundle(options: ImportOptions): Promise<Map<string, Outcome>> {
  const { db, files, file, trusted, publisherId, tell } = options;
  const { bundle, sha256, hashes } = await checkBundle(file, trusted);
  if (!(await isUserKnown(db, publisherId)))
    throw startError(
      `There is no user ${publisherId} here; sign in as that user, and open the publishing page or the administration once.`,
    );
  return withLock(db, SWEEP_LOCK, async () => {
    const total = bundle.plugins.length;
    const filler = await startFilling(db, { what: 'Import', done: 0, total, tell });
    const told = tellEachPart({ what: 'Files stored', total: hashes.size, tell });
    try {
      await readArchive({ file, kind: 'bundle', expected: sha256 }, async (entry) => {
        if (!(await storeFile(files, entry, hashes))) return;
        told();
        await filler.still();
      });
      const given = { publisherId, at: new Date(options.now()), trusted };
      const outcomes = await db.transaction().execute(async (trx) => {
        await liftTimeouts(trx);
        return insertBundle(trx, bundle, { ...given, onPlugin: () => filler.step(true) });
      });
      await filler.end();
      return outcomes;
    } catch (error) {
      // What failed first counts: without a database this fails as well.
      await filler.end('nothing imported').catch(() => undefined);
      throw error;
    }
  });
}

type CheckedBundle = {
  bundle: Bundle;
  /** Of the whole archive, which the signature covers. */
  sha256: string;
  /** SHA-256 of each file of its plugins, by name. */
  hashes: ReadonlyMap<string, string>;
};

/** Reads a bundle without storing anything. */
async function checkBundle(file: string, trusted: string): Promise<CheckedBundle> {
  let content: Buffer | undefined;
  const found = new Map<string, string>();
  const end = await readArchive({ file, kind: 'bundle' }, async ({ name, pieces }) => {
    if (name === PLUGINS) content = await collect(pieces);
    else found.set(fileOfEntry(name) ?? '', await hashOf(pieces));
  });
  assertSigned(file, end, trusted);
  const bundle: unknown = content && JSON.parse(content.toString());
  if (!Value.Check(bundleSchema, bundle)) throw startError(`${file} has no valid ${PLUGINS}.`);
  const names = filesOf(bundle);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw startError(`${file} lacks ${missing.length} of its files.`);
  const hashes = new Map(names.map((name) => [name, found.get(name) ?? '']));
  for (const [name, hash] of hashes) {
    // The name of a video or package is the hash of its content.
    if (!name.includes('-') && !name.startsWith(hash))
      throw startError(`The content of ${name} does not match its name.`);
  }
  return { bundle, sha256: end.sha256, hashes };
}

async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Stores a file of the plugins if its content is what the check has read; otherwise nothing of it is stored.
 * @returns false for another entry
 */
async function storeFile(
  files: FileStore,
  { name: entry, pieces }: Entry,
  hashes: ReadonlyMap<string, string>,
): Promise<boolean> {
  const name = fileOfEntry(entry);
  const expected = name === undefined ? undefined : hashes.get(name);
  if (name === undefined || expected === undefined) return false;
  await files.put(name, verifyHash(name, pieces, expected));
  return true;
}

async function* verifyHash(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  expected: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== expected)
    throw startError(`The content of ${name} has changed since it was checked.`);
}

async function insertBundle(
  trx: Db,
  bundle: Bundle,
  given: { publisherId: number; at: Date; trusted: string; onPlugin: () => Promise<void> },
): Promise<Map<string, Outcome>> {
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
  return outcomes;
}

/** The operator has no user id; the entry names the publisher. */
async function logImport(
  trx: Db,
  plugin: BundledPlugin,
  { publisherId, trusted, outcome }: { publisherId: number; trusted: string; outcome: Outcome },
): Promise<void> {
  const { plugin_key, current_version } = plugin;
  const { name: names, default_lang } = listingOf(plugin);
  await writeTrail(trx, {
    actorId: publisherId,
    action: 'plugin.import',
    targetKind: 'plugin',
    targetId: plugin_key,
    targetName: { names, default_lang },
    detail: { outcome, version: current_version, signed_by: trusted },
  });
}

/** Result of importing one plugin. */
type Outcome = 'added' | 'changed' | 'unchanged' | 'deleted here';

/**
 * Imports one plugin. An existing one gets the missing versions and the bundle's listing; its existing versions do not
 * change. A plugin that was deleted here stays deleted.
 */
async function importPlugin(
  trx: Db,
  plugin: BundledPlugin,
  { publisherId, at }: { publisherId: number; at: Date },
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
    known.set(version.version, await insertApprovedVersion(trx, version, { pluginId, userId, at }));
  const versionId = known.get(plugin.current_version);
  if (versionId === undefined)
    throw startError(`The bundle lacks the current version of ${plugin.plugin_key}.`);
  await supersedeWaiting(trx, pluginId);
  const bringsVersion = added.length > 0;
  const about = { pluginId, versionId, userId, at };
  await insertSubmission(trx, { ...about, bringsVersion, isFirst: !found, listing, findings: [] });
  await writeLiveListing(trx, pluginId, listing);
  await approveLatest(trx, { pluginId, versionId, at });
  return found ? 'changed' : 'added';
}

function listingOf({ plugin_key, listing }: BundledPlugin): StoredListing {
  const language = LANGUAGES.find((lang) => lang === listing.default_lang);
  if (!language) throw startError(`The bundle has ${plugin_key} in an unknown language.`);
  return { ...listing, default_lang: language };
}
