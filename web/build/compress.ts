import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

const TEXT = /\.(js|css|svg|json)$/;

/** Puts a .br and a .gz beside every text file of a folder; answers the brotli bytes of each by its name. */
export async function compressFolder(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).filter((name) => TEXT.test(name));
  const sizes = await Promise.all(
    names.map(async (name): Promise<[string, number]> => {
      const file = join(folder, name);
      const content = await readFile(file);
      const small = await brotliBytes(content);
      await Promise.all([
        writeFile(`${file}.br`, small),
        writeFile(`${file}.gz`, await gz(content, { level: constants.Z_BEST_COMPRESSION })),
      ]);
      return [name, small.byteLength];
    }),
  );
  return new Map(sizes);
}

/** The most compact brotli form of a text. */
export function brotliBytes(content: Buffer): Promise<Buffer> {
  return brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
}
