import { createHash } from 'node:crypto';
import { Piscina } from 'piscina';
import type { Picture } from '../../../shared/entities/plugin.ts';
import type { Language } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';
import type { FileStore } from '../media/files.ts';
import { memoizeBytes } from '../media/memoize-bytes.ts';
import { toCard } from '../plugins/cards/cards.ts';
import { readCardRows } from '../plugins/cards/store.ts';
import { findSeenPlugin } from '../plugins/detail/access.ts';
import type { Db } from '../schema.ts';
import type { Card } from './drawing/card.ts';
import { openSiteNames } from './site-names.ts';

/** Changes with what the drawing looks like, so that nobody keeps the old one. */
const LOOK = 1;
/** Bytes of pictures kept: some hundreds of them. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Pictures that may wait for their turn; one takes about a tenth of a second. */
const WAITING_MAX = 40;
/** Milliseconds one picture may take, and after which a thread with nothing to do ends. */
const PATIENCE = 20_000;
const IDLE = 30_000;
/** Widths that are drawn: the smallest kept one that is at least as wide is taken. */
const COVER_WIDTH = 640;
const ICON_WIDTH = 128;

/** A picture that can be made; the tag names its content without making it. */
export type ShareImage = { etag: string; picture: () => Promise<Uint8Array> };

export type ShareImages = {
  /** The card of a published plugin in a language. @throws PLUGIN_NOT_FOUND */
  of(pluginKey: string, language: Language): Promise<ShareImage>;
  close(): Promise<void>;
};

/** Draws cards in a thread of their own, one at a time, each once while it is remembered. */
export function openShareImages(db: Db, files: FileStore): ShareImages {
  const pool = new Piscina<Card, Uint8Array>({
    filename: new URL('./draw-worker.ts', import.meta.url).href,
    name: 'draw',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE,
  });
  const memoized = memoizeBytes({ bytes: CACHE_BYTES, waiting: WAITING_MAX });
  const siteName = openSiteNames();

  return {
    async of(pluginKey, language) {
      const { id } = await findSeenPlugin(db, pluginKey, null);
      const [row] = await readCardRows(db, [id], null);
      if (!row) throw appError('PLUGIN_NOT_FOUND');
      const { name, publisher, cover, icon } = toCard(row, language);
      const said = { language, name, publisher: publisher.nick_name, siteName: await siteName(language) };
      const [coverFile, iconFile] = [fileOf(cover, COVER_WIDTH), fileOf(icon, ICON_WIDTH)];
      const key = createHash('sha256')
        .update(JSON.stringify([LOOK, said, coverFile, iconFile]))
        .digest('base64url');
      const draw = async (): Promise<Uint8Array> => {
        const [coverBytes, iconBytes] = await Promise.all([read(files, coverFile), read(files, iconFile)]);
        const card = { ...said, cover: coverBytes, icon: iconBytes };
        return pool.run(card, { signal: AbortSignal.timeout(PATIENCE) });
      };
      return { etag: `"${key.slice(0, 27)}"`, picture: () => memoized(key, draw) };
    },
    close: () => pool.destroy(),
  };
}

function fileOf(picture: Picture | null, wanted: number): string | null {
  const width = picture?.widths.find((candidate) => candidate >= wanted) ?? picture?.widths.at(-1);
  return picture && width !== undefined ? `${picture.key}-${width}.webp` : null;
}

/** A file that the store has lost is not drawn. */
async function read(files: FileStore, name: string | null): Promise<Uint8Array | null> {
  const file = name === null ? undefined : await files.get(name);
  return file ? new Uint8Array(Buffer.concat(await file.stream().toArray())) : null;
}
