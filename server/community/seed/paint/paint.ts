import type { FastifyBaseLogger } from 'fastify';
import sharp from 'sharp';
import { PICTURE_WIDTHS } from '../../../../shared/constants.ts';
import { loadCatalogue } from '../../demo/catalogue.ts';
import type { FileStore } from '../../media/files.ts';
import { openPictures } from '../../media/pictures.ts';
import { insertPicture } from '../../media/store.ts';
import type { Db } from '../../schema.ts';
import { readDemoState, writeDemoState } from '../store.ts';
import { type Painting, paintingsOf } from './paintings.ts';
import { hang, type Place, readHung, releasePaintLock, tryPaintLock } from './store.ts';

const PAINTERS = 2;
/** Dots per inch at which one unit of a drawing is one pixel. */
const FULL_DENSITY = 72;
const WIDEST = Math.max(...PICTURE_WIDTHS);

export type Painter = { db: Db; files: FileStore; log: FastifyBaseLogger };

/**
 * Makes the pictures the demo catalogue still lacks, through the same steps as an upload. May be stopped, or
 * killed, at any point: the next call goes on where this one ended. One instance at a time.
 */
export async function paintDemo({ db, files, log }: Painter, signal: AbortSignal): Promise<void> {
  if ((await readDemoState(db)) !== 'rows') return;
  await db.connection().execute(async (connection) => {
    if (!(await tryPaintLock(connection))) return;
    try {
      const hung = await readHung(db);
      const left = paintingsOf(loadCatalogue()).filter(({ place }) => !hung.has(nameOf(place)));
      log.info({ pictures: left.length }, 'making the pictures of the demo catalogue');
      await paintAll({ db, files, log }, left, signal);
      if (signal.aborted) return;
      await writeDemoState(db, 'complete');
      log.info('the demo catalogue has all its pictures');
    } finally {
      await releasePaintLock(connection);
    }
  });
}

async function paintAll(
  { db, files }: Painter,
  paintings: readonly Painting[],
  signal: AbortSignal,
): Promise<void> {
  const pictures = openPictures(files);
  const queue = paintings.values();
  const work = async () => {
    for (const { place, width, draw } of queue) {
      if (signal.aborted) return;
      const picture = await pictures.keep(await rasterise(draw(), width));
      await insertPicture(db, picture);
      await hang(db, place, picture.key);
    }
  };
  await Promise.all(Array.from({ length: PAINTERS }, work));
}

/** As wide as it is drawn, or as the widest picture that is kept. Our own drawings are the only SVG ever read. */
function rasterise(svg: string, width: number): Promise<Uint8Array> {
  const density = FULL_DENSITY * Math.min(1, WIDEST / width);
  return sharp(Buffer.from(svg), { density }).png({ compressionLevel: 1 }).toBuffer();
}

function nameOf(place: Place): string {
  if ('pluginKey' in place) return `${place.table} ${place.pluginKey}`;
  return `${place.table} ${'position' in place ? place.position : place.id}`;
}
