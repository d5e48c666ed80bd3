import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Maker } from './maker.ts';

const FOLDER = fileURLToPath(new URL('kept/', import.meta.url));
const MAKER = `${FOLDER}maker.json`;
const PALETTE = { palette: true, colours: 96, dither: 0, effort: 10 } as const;

export function readMaker(): Promise<Maker> {
  return readFile(MAKER, 'utf8').then(JSON.parse);
}

export function readKept(name: string): Promise<Buffer> {
  return readFile(`${FOLDER}${name}.png`);
}

export async function keepMaker(maker: Maker): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(MAKER, `${JSON.stringify(maker, null, 2)}\n`);
}

/** Keeps a picture, small; answers its bytes. */
export async function keep(name: string, picture: Buffer): Promise<number> {
  const small = await sharp(picture).png(PALETTE).toBuffer();
  await writeFile(`${FOLDER}${name}.png`, small);
  return small.length;
}
