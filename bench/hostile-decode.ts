import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderStore } from '../server/community/files/media/files.ts';
import { openPictures } from '../server/community/files/media/pictures.ts';
import { isAppError } from '../server/http/errors.ts';

/** Results of pictures uploaded at the same time by different users, and peak memory over idle in MiB. */
export type Decoded = { answers: string[]; growth: number; seconds: number };

const mebibytes = (name: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

const folder = mkdtempSync(join(tmpdir(), 'plugin-square-hostile-'));
const pictures = openPictures(openFolderStore(folder));
const idle = mebibytes('VmRSS');
const started = performance.now();
const answers = await Promise.all(
  process.argv.slice(2).map((content, userId) =>
    pictures.prepare({ content, userId }).then(
      () => 'kept',
      (error) => (isAppError(error) ? error.code : String(error)),
    ),
  ),
);
const seconds = (performance.now() - started) / 1000;
const decoded: Decoded = { answers, growth: mebibytes('VmHWM') - idle, seconds };
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(decoded));
