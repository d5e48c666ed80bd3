import type { FastifyBaseLogger } from 'fastify';
import type { Catalogue } from '../../demo/catalogue.ts';
import type { FileStore } from '../../media/files.ts';
import { openPictures } from '../../media/pictures.ts';
import { insertPictures } from '../../media/store.ts';
import type { Db } from '../../schema.ts';
import { type Painting, paintingsOf } from './paintings.ts';
import { rasterise } from './rasterise.ts';
import { hang, type Place, readHung } from './store.ts';

const PAINTERS = 2;

export type Painter = { db: Db; files: FileStore; log: FastifyBaseLogger };

/**
 * Makes the pictures the demo catalogue still lacks, through the same steps as an upload. May be stopped, or
 * killed, at any point: the next call goes on where this one ended.
 */
export async function paintDemo(painter: Painter, catalogue: Catalogue, signal: AbortSignal): Promise<void> {
  const { db, log } = painter;
  const hung = await readHung(db);
  const left = paintingsOf(catalogue).filter(({ place }) => !hung.has(nameOf(place)));
  log.info({ pictures: left.length }, 'making the pictures of the demo catalogue');
  await paintAll(painter, left, signal);
  if (!signal.aborted) log.info('the demo catalogue has all its pictures');
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
      const role = place.table === 'icon' ? 'icon' : 'picture';
      const picture = await pictures.keep({ content: await rasterise(draw(), width), role });
      await insertPictures(db, [picture]);
      await hang(db, place, picture.key);
    }
  };
  await Promise.all(Array.from({ length: PAINTERS }, work));
}

function nameOf(place: Place): string {
  if ('pluginKey' in place) return `${place.table} ${place.pluginKey}`;
  return `${place.table} ${'position' in place ? place.position : place.id}`;
}
