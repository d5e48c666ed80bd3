import { buffer } from 'node:stream/consumers';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../http/app.ts';
import type { Db } from '../schema.ts';
import type { FileStore } from './files.ts';
import { generateCover } from './generated-cover.ts';
import type { Pictures } from './pictures.ts';
import { preparePicture } from './prepare-picture.ts';
import { type CoverlessPlugin, insertPictures, readCoverless, setGeneratedCover } from './store.ts';

/** Milliseconds between two looks for plugins without a cover, and how many get one at a time. */
const EVERY = 3000;
const AT_ONCE = 4;

type Dependencies = { db: Db; files: FileStore; pictures: Pictures };
type Log = Pick<FastifyBaseLogger, 'warn'>;

/**
 * Makes covers for a few plugins that have none (design: never a grey box), also again where the icon has changed.
 * An icon that cannot be decoded counts as none.
 * @returns how many were made
 * @throws STORAGE_FULL
 */
export async function fillCovers(parts: Dependencies, log: Log): Promise<number> {
  const coverless = await readCoverless(parts.db, AT_ONCE);
  for (const plugin of coverless) await fillCover(parts, plugin, log);
  return coverless.length;
}

async function fillCover(
  { db, files, pictures }: Dependencies,
  plugin: CoverlessPlugin,
  log: Log,
): Promise<void> {
  const { plugin_key } = plugin;
  const icon = await readIcon(files, plugin);
  const content = await generateCover(icon, plugin_key).catch((err: unknown) => {
    log.warn({ err, plugin: plugin_key }, 'a cover could not be made of the icon');
    return generateCover(null, plugin_key);
  });
  const cover = await pictures.store(await preparePicture({ content }));
  await db.transaction().execute(async (trx) => {
    await insertPictures(trx, [cover]);
    await setGeneratedCover(trx, plugin, cover.key);
  });
}

async function readIcon(files: FileStore, { icon }: CoverlessPlugin): Promise<Uint8Array | null> {
  const file = icon && (await files.get(`${icon.key}-${icon.width}.webp`));
  return file ? buffer(file.stream()) : null;
}

/** Does so while the app listens, without a pause while there are more. */
export function fillCoversRegularly(app: FastifyInstance, parts: Dependencies, log: Log): void {
  repeatWhileListening(
    app,
    async () => {
      try {
        return (await fillCovers(parts, log)) === AT_ONCE ? 0 : EVERY;
      } catch (err) {
        log.warn({ err }, 'covers could not be made');
        return EVERY;
      }
    },
    EVERY,
  );
}
