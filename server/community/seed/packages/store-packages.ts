import type { DemoPlugin } from '../../demo/catalogue-schema.ts';
import { demoPackage, packageBytes } from '../../demo/package.ts';
import type { FileStore } from '../../media/files.ts';
import { preparePackage, storeFile } from '../../media/stored-files.ts';
import type { Db } from '../../schema.ts';
import { demoKey } from '../rows.ts';
import { namePackages, type Packed, readUnpacked } from './store.ts';

const AT_A_TIME = 20;

/** Stores the packages that versions of the demo still lack: the files first, then the rows that name them. */
export async function storePackages(
  { db, files }: { db: Db; files: FileStore },
  plugins: readonly DemoPlugin[],
  signal: AbortSignal,
): Promise<void> {
  const unpacked = await readUnpacked(
    db,
    plugins.map(({ slug }) => demoKey(slug)),
  );
  const left = plugins.flatMap((plugin) =>
    plugin.versions
      .filter(({ version }) => unpacked.has(`${demoKey(plugin.slug)} ${version}`))
      .map((version) => ({ plugin, version })),
  );
  for (let at = 0; at < left.length && !signal.aborted; at += AT_A_TIME) {
    const packed: Packed[] = [];
    for (const { plugin, version } of left.slice(at, at + AT_A_TIME)) {
      const made = demoPackage(plugin, version);
      const file = await storeFile(files, preparePackage(packageBytes(made)));
      packed.push({
        pluginKey: demoKey(plugin.slug),
        version: version.version,
        file,
        manifest: made.manifest,
      });
    }
    await namePackages(db, packed);
  }
}
