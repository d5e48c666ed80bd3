import { createHash } from 'node:crypto';
import { Value } from 'typebox/value';
import type { FileStore } from '../../community/media/files.ts';
import type { Db } from '../../community/schema.ts';
import { writeTrail } from '../../community/trail/store.ts';
import { startError } from '../../database/start-error.ts';
import { collect, type Entry, readArchive } from '../archive/read-archive.ts';
import { fileOfEntry } from '../backup/contents.ts';
import { keepSweepsAway } from '../backup/store.ts';
import { type Bundle, type BundledPlugin, bundleSchema, filesOf, PLUGINS } from './contents.ts';
import { importPlugin, type Outcome } from './import-plugin.ts';
import { assertSigned } from './signing-key.ts';
import { insertMissingMarks, insertMissingTags, isPersonKnown } from './store.ts';

export type ImportParts = {
  db: Db;
  files: FileStore;
  /** Milliseconds since 1970. */
  now: () => number;
  file: string;
  /** Public key of the deployment that may have made the bundle. */
  trusted: string;
  /** Whose plugins they become. */
  publisherId: number;
};

/**
 * Brings the plugins of a bundle: files first, then everything else in one transaction. What has been brought before
 * stays as it is.
 * @throws start error when the archive is cut, changed or signed with another key, or the publisher is not known;
 * nothing is brought then
 */
export async function importBundle(parts: ImportParts): Promise<Map<string, Outcome>> {
  const { db, files, file, trusted, publisherId } = parts;
  const bundle = await checkBundle(file, trusted);
  if (!(await isPersonKnown(db, publisherId)))
    throw startError(
      `Nobody with the number ${publisherId} is known here; they must have published or liked once.`,
    );
  await keepSweepsAway(db);
  const wanted = new Set(filesOf(bundle));
  await readArchive({ file, kind: 'bundle' }, (entry) => keepFile(files, entry, wanted));
  const given = { publisherId, at: new Date(parts.now()), trusted };
  return db.transaction().execute((trx) => bring(trx, bundle, given));
}

async function checkBundle(file: string, trusted: string): Promise<Bundle> {
  let content: Buffer | undefined;
  const names = new Set<string>();
  const end = await readArchive({ file, kind: 'bundle' }, async ({ name, pieces }) => {
    if (name === PLUGINS) content = await collect(pieces);
    else names.add(fileOfEntry(name) ?? '');
  });
  assertSigned(file, end, trusted);
  const bundle: unknown = content && JSON.parse(content.toString());
  if (!Value.Check(bundleSchema, bundle)) throw startError(`${file} does not say what is in it.`);
  const missing = filesOf(bundle).filter((name) => !names.has(name));
  if (missing.length > 0) throw startError(`${file} lacks ${missing.length} of its files.`);
  return bundle;
}

async function keepFile(
  files: FileStore,
  { name: entry, pieces }: Entry,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const name = fileOfEntry(entry);
  if (name === undefined || !wanted.has(name)) return;
  await files.put(name, name.includes('-') ? pieces : asNamed(name, pieces));
}

/** Videos and packages are named by their own bytes; nothing else may be kept under such a name. */
async function* asNamed(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (!name.startsWith(hash.digest('hex'))) throw startError(`The file ${name} is not what its name says.`);
}

async function bring(
  trx: Db,
  bundle: Bundle,
  given: { publisherId: number; at: Date; trusted: string },
): Promise<Map<string, Outcome>> {
  await insertMissingTags(trx, bundle.tags);
  await insertMissingMarks(trx, bundle.marks ?? []);
  if (bundle.pictures.length > 0)
    await trx
      .insertInto('picture')
      .values(bundle.pictures)
      .onConflict((conflict) => conflict.column('picture_key').doUpdateSet({ created_at: given.at }))
      .execute();
  if (bundle.files.length > 0)
    await trx
      .insertInto('stored_file')
      .values(bundle.files)
      .onConflict((conflict) => conflict.column('file_key').doUpdateSet({ created_at: given.at }))
      .execute();
  const outcomes = new Map<string, Outcome>();
  for (const plugin of bundle.plugins) {
    const outcome = await importPlugin(trx, plugin, given);
    outcomes.set(plugin.plugin_key, outcome);
    if (outcome === 'added' || outcome === 'changed') await remember(trx, plugin, { ...given, outcome });
  }
  return outcomes;
}

/** The operator has no number here; they act for the publisher whom they name. */
async function remember(
  trx: Db,
  { plugin_key, current_version, listing }: BundledPlugin,
  { publisherId, trusted, outcome }: { publisherId: number; trusted: string; outcome: Outcome },
): Promise<void> {
  await writeTrail(trx, {
    actorId: publisherId,
    action: 'plugin.import',
    targetKind: 'plugin',
    targetId: plugin_key,
    targetName: listing.name[listing.default_lang] ?? plugin_key,
    detail: { outcome, version: current_version, signed_by: trusted },
  });
}
