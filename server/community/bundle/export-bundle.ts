import type { KeyObject } from 'node:crypto';
import { liftTimeouts } from '../../database/advisory-lock.ts';
import { startError } from '../../database/errors.ts';
import { type ArchiveWriter, entryOfFile, json, piecesOf, writeArchive } from '../../storage/archive.ts';
import { type Tell, tellEachPart } from '../catalogue/filling/filling.ts';
import { publishedKeys } from '../catalogue/transparency/keys.ts';
import { readLog } from '../catalogue/transparency/log-store.ts';
import type { FileStore } from '../files/media/files.ts';
import type { Db } from '../schema.ts';
import { withoutSweep } from '../sweep/kept-files.ts';
import { APPROVAL_KEYS, type Bundle, type BundledPlugin, entryOfLog, filesOf, PLUGINS } from './contents.ts';
import { publicKeyOf, signHash } from './signing-key.ts';
import { SITE, type Site } from './site.ts';
import { readFileRows, readMarks, readPictureRows, readPlugins, readTags, readVisibleKeys } from './store.ts';

type ExportOptions = {
  db: Db;
  files: FileStore;
  signingKey: KeyObject;
  /** The archive to write. */
  file: string;
  /** Keys of plugins, or all visible ones. */
  plugins: readonly string[] | 'all';
  /** What it brings to an empty site beside its plugins. */
  site?: Site | undefined;
  /** Gets lines about its progress. */
  tell: Tell;
};

type Exported = { plugins: number; versions: number; files: number; publicKey: string };

/**
 * Writes plugins with their versions, pictures and videos into one signed archive.
 * @throws start error when a plugin is not visible, a file is missing, or the archive cannot be written
 */
export async function exportBundle({
  db,
  files,
  signingKey,
  file,
  plugins,
  site,
  tell,
}: ExportOptions): Promise<Exported> {
  const bundle = await withoutSweep(db, async () => {
    const bundle = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (snapshot) => {
        await liftTimeouts(snapshot);
        return readBundle(snapshot, plugins);
      });
    const sign = (hash: string) => signHash(signingKey, hash);
    await writeArchive({ file, kind: 'bundle', sign }, (archive) =>
      addBundle(archive, bundle, { db, files, site, tell }),
    );
    return bundle;
  });
  return {
    plugins: bundle.plugins.length,
    versions: bundle.plugins.flatMap((plugin) => plugin.versions).length,
    files: namesIn(bundle, site).length,
    publicKey: publicKeyOf(signingKey),
  };
}

async function addBundle(
  archive: ArchiveWriter,
  bundle: Bundle,
  { db, files, site, tell }: Pick<ExportOptions, 'db' | 'files' | 'site' | 'tell'>,
): Promise<void> {
  await archive.add(PLUGINS, json(bundle));
  if (site) await archive.add(SITE, json(site));
  await addApprovals(archive, db);
  const names = namesIn(bundle, site);
  const told = tellEachPart({ what: 'Files written', total: names.length, tell });
  for (const name of names) {
    const found = await files.get(name);
    if (!found) throw startError(`The file ${name} is missing in the store.`);
    await archive.addStream(entryOfFile(name), found.bytes, piecesOf(found));
    told();
  }
}

/** Entries of the log in one part. */
const LOG_PART = 1000;

/** Adds what signatures and withdrawals are verified by without a network. Nothing of the log ever changes, so it may grow meanwhile. */
async function addApprovals(archive: ArchiveWriter, db: Db): Promise<void> {
  await archive.add(APPROVAL_KEYS, json(await publishedKeys(db)));
  let after = 0;
  for (let part = 0; ; part += 1) {
    const entries = await readLog(db, { after, limit: LOG_PART });
    if (entries.length === 0) return;
    await archive.add(entryOfLog(part), json(entries));
    after = entries.at(-1)?.sequence ?? after;
  }
}

async function readBundle(db: Db, selected: ExportOptions['plugins']): Promise<Bundle> {
  const keys = selected === 'all' ? await readVisibleKeys(db) : selected;
  const plugins = await readPlugins(db, keys);
  const found = new Set(plugins.map(({ plugin_key }) => plugin_key));
  const missing = keys.filter((key) => !found.has(key));
  if (missing.length > 0) throw startError(`No such plugin is shown here: ${missing.join(', ')}.`);
  if (plugins.length === 0) throw startError('There is no plugin to export.');
  return {
    plugins,
    tags: await readTags(db, unique(plugins.flatMap(({ listing }) => listing.tags))),
    marks: await readMarks(db, unique(plugins.map(({ listing }) => listing.plugin_mark))),
    pictures: await readPictureRows(db, unique(plugins.flatMap(pictureKeysOf))),
    files: await readFileRows(db, unique(plugins.flatMap(fileKeysOf))),
  };
}

/** Names of all files. */
function namesIn(bundle: Bundle, site: Site | undefined): string[] {
  return unique([...filesOf(bundle), ...(site ? filesOf(site) : [])]);
}

function pictureKeysOf({ listing }: BundledPlugin): string[] {
  const shown = listing.media.flatMap((item) => ('picture_key' in item ? [item.picture_key] : []));
  return [listing.icon_key, listing.cover_key, listing.panel_key, ...shown].filter((key) => key !== null);
}

function fileKeysOf({ listing, versions }: BundledPlugin): string[] {
  const shown = listing.media.flatMap((item) => ('file_key' in item ? [item.file_key] : []));
  return [...shown, ...versions.map(({ package_key }) => package_key)].filter((key) => key !== null);
}

function unique(keys: readonly string[]): string[] {
  return [...new Set(keys)];
}
