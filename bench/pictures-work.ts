import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openFolderStore } from '../server/community/files/media/files.ts';
import { openPictures } from '../server/community/files/media/pictures.ts';

/** Memory in MiB, times in ms. */
export type Worked = { perSecond: number; idle: number; peak: number; longestPause: number };

const resident = () => process.memoryUsage.rss() / 2 ** 20;
const [, , path = '', count = '1'] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'plugin-square-pictures-'));
const pictures = openPictures(openFolderStore(folder));
const idle = resident();
let peak = idle;
const watch = setInterval(() => {
  peak = Math.max(peak, resident());
}, 5);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(count) }, async () =>
    pictures.store(await pictures.prepare({ content: path })),
  ),
);
const perSecond = Number(count) / ((performance.now() - started) / 1000);
clearInterval(watch);
rmSync(folder, { recursive: true });
const worked: Worked = { perSecond, idle, peak, longestPause: delay.max / 1e6 };
process.stdout.write(JSON.stringify(worked));
