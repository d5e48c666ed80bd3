import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { median, type Table } from './figures.ts';
import type { Worked } from './pictures-work.ts';
import type { Bench } from './run.ts';

const RUNS = 5;
const WORK = fileURLToPath(new URL('pictures-work.ts', import.meta.url));

/** A drawing with edges, areas and gradients, as expensive to encode as a photo of the same size. */
function scene(width: number, height: number): Buffer {
  const dots = Array.from({ length: 300 }, (_, dot) => {
    const [x, y] = [((dot * 971) % 4000) / 40, ((dot * 577) % 3000) / 30];
    return `<circle cx="${x}%" cy="${y}%" r="${1 + (dot % 30) / 10}%" fill="hsl(${(dot * 47) % 360} 70% 50%)"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g">` +
      '<stop offset="0" stop-color="#f43"/><stop offset="1" stop-color="#3c6"/></linearGradient></defs>' +
      `<rect width="100%" height="100%" fill="url(#g)"/>${dots.join('')}</svg>`,
  );
}

function work(path: string, count: number): Worked {
  return JSON.parse(execFileSync(process.execPath, [WORK, path, String(count)], { encoding: 'utf8' }));
}

/** Converts uploaded pictures to all widths, two at a time, in a separate process. */
export const pictures: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-square-pictures-'));
  const inputs = [
    {
      title: 'JPEG of 12 megapixels',
      path: join(folder, 'a.jpg'),
      count: 20,
      image: sharp(scene(4000, 3000)).jpeg({ quality: 90 }),
    },
    {
      title: 'PNG of 1 megapixel',
      path: join(folder, 'a.png'),
      count: 40,
      image: sharp(scene(1154, 866)).png(),
    },
  ];
  const rows: Table['rows'] = [];
  for (const { title, path, count, image } of inputs) {
    const { size } = await image.toFile(path);
    const runs = Array.from({ length: RUNS }, () => work(path, count));
    rows.push([
      title,
      (size / 1024).toFixed(0),
      median(runs.map(({ perSecond }) => perSecond)).toFixed(1),
      median(runs.map(({ peak, idle }) => peak - idle)).toFixed(0),
      median(runs.map(({ longestPause }) => longestPause)).toFixed(0),
    ]);
  }
  rmSync(folder, { recursive: true });
  return [
    {
      title: 'Uploaded pictures, decoded and stored in all widths',
      head: [
        'picture',
        'KiB',
        'pictures a second',
        'memory over idle, MiB',
        'longest pause of the event loop, ms',
      ],
      rows,
    },
  ];
};
