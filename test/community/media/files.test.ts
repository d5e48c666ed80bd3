import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { testFolder } from '../../support/community.ts';

const NAME = `${'ab'.repeat(32)}.mp4`;
const OTHER = `${'cd'.repeat(32)}-320.webp`;
const HOUR = 3_600_000;
const FULL_DISK = fileURLToPath(new URL('full-disk.ts', import.meta.url));

const before = (hours: number) => new Date(Date.now() - hours * HOUR);

function pathOf(dataDir: string, name: string): string {
  return join(dataDir, 'files', name.slice(0, 2), name.slice(2, 4), name);
}

async function age(dataDir: string, name: string, hours: number): Promise<void> {
  await utimes(pathOf(dataDir, name), before(hours), before(hours));
}

t.test('stores a file once, and reads all or part of it', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  t.equal(await files.get(NAME), undefined);
  t.equal(await files.has(NAME), false);
  await files.put(NAME, Buffer.from('0123456789'));
  await files.put(NAME, Buffer.from('another content is not written'));
  t.equal(await files.has(NAME), true);
  const file = await files.get(NAME);
  t.equal(file?.bytes, 10);
  t.equal(file && (await text(file.stream())), '0123456789');
  const again = await files.get(NAME);
  t.equal(again && (await text(again.stream({ start: 2, end: 4 }))), '234');
  t.strictSame(await readdir(join(dataDir, 'files', 'ab', 'ab')), [NAME]);
});

t.test('a failed stream leaves no file', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('connection lost');
  }
  await t.rejects(files.put(NAME, broken()), { message: 'connection lost' });
  t.equal(await files.get(NAME), undefined);
  t.strictSame(await readdir(join(dataDir, 'files', 'ab', 'ab')), []);
});

t.test('concurrent writes of the same file succeed', async (t) => {
  const files = openFolderStore(await testFolder(t));
  await Promise.all(Array.from({ length: 20 }, () => files.put(NAME, Buffer.from('same'))));
  const file = await files.get(NAME);
  t.equal(file && (await text(file.stream())), 'same');
});

t.test('invalid names reach no path', async (t) => {
  const files = openFolderStore(await testFolder(t));
  for (const name of ['../../etc/passwd', `${'ab'.repeat(32)}/x.mp4`, 'x.webp', '']) {
    await t.rejects(files.get(name), { message: /not a file name/ });
    await t.rejects(files.has(name), { message: /not a file name/ });
    await t.rejects(files.put(name, Buffer.from('x')), { message: /not a file name/ });
    t.throws(() => files.remove(name, new Date()), { message: /not a file name/ });
  }
});

t.test('a full disk', async (t) => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const dataDir = await testFolder(t);
    const files = openFolderStore(dataDir);
    async function* tooMuch() {
      yield Buffer.alloc(1000);
      throw Object.assign(new Error('no space left'), { code });
    }
    await t.rejects(files.put(NAME, tooMuch()), {
      code: 'STORAGE_FULL',
      statusCode: 507,
      message: 'There is no space left to store this.',
    });
    t.strictSame(await readdir(join(dataDir, 'files', 'ab', 'ab')), [], 'nothing half-written is left');
  }
});

t.test('a full file system, if mounting is allowed', async (t) => {
  const dataDir = await testFolder(t);
  const mount = `mount -t tmpfs -o size=256k tmpfs "$1" && exec "$2" "$3" "$1"`;
  const run = spawnSync('unshare', ['-rm', 'sh', '-c', mount, 'sh', dataDir, process.execPath, FULL_DISK], {
    encoding: 'utf8',
  });
  const isMounted = run.status === 0;
  if (isMounted) t.strictSame(JSON.parse(run.stdout), { code: 'STORAGE_FULL', left: [] });
  else t.match(run.error?.message ?? run.stderr, /ENOENT|unshare|mount/, 'this system lets nobody mount');
});

t.test('lists every file and nothing else', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  t.strictSame(await Array.fromAsync(files.list()), []);
  await files.put(NAME, Buffer.from('0123456789'));
  await files.put(OTHER, Buffer.from('012'));
  await age(dataDir, OTHER, 5);
  await writeFile(join(dirname(pathOf(dataDir, NAME)), '.draft'), 'half');
  await writeFile(join(dataDir, 'files', 'readme.txt'), 'stray');
  const listed = (await Array.fromAsync(files.list())).sort((a, b) => b.bytes - a.bytes);
  t.hasStrict(listed, [
    { name: NAME, bytes: 10 },
    { name: OTHER, bytes: 3 },
  ]);
  t.ok(Math.abs(Date.now() - (listed[0]?.putAt.getTime() ?? 0)) < HOUR);
  t.ok(Math.abs(before(5).getTime() - (listed[1]?.putAt.getTime() ?? 0)) < 10_000);
});

t.test('removes a file only if it was not stored since', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  t.equal(await files.remove(NAME, new Date()), false, 'there is none');
  await files.put(NAME, Buffer.from('x'));
  t.equal(await files.remove(NAME, before(1)), false, 'it is younger');
  t.equal(await files.has(NAME), true);
  await age(dataDir, NAME, 2);
  await files.put(NAME, Buffer.from('x'));
  t.equal(await files.remove(NAME, before(1)), false, 'putting it again has made it young');
  await age(dataDir, NAME, 2);
  t.equal(await files.remove(NAME, before(1)), true);
  t.equal(await files.has(NAME), false);
  t.strictSame(await readdir(dirname(pathOf(dataDir, NAME))), []);
});

t.test('a file that is stored during its removal stays', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  const outcomes = new Set<boolean>();
  for (let round = 0; round < 300; round += 1) {
    await files.put(NAME, Buffer.from('content'));
    await age(dataDir, NAME, 2);
    const pause = round % 5;
    const [removed] = await Promise.all([
      files.remove(NAME, before(1)),
      turns(pause).then(() => files.put(NAME, Buffer.from('content'))),
    ]);
    outcomes.add(removed);
    const file = await files.get(NAME);
    if (!file || (await text(file.stream())) !== 'content') t.fail(`lost in round ${round}`);
  }
  t.ok(outcomes.size > 0);
  t.strictSame(await readdir(dirname(pathOf(dataDir, NAME))), [NAME]);
});

/** Lets the event loop turn a few times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

t.test('removes drafts of a killed process, and restores files it was removing', async (t) => {
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  const folder = dirname(pathOf(dataDir, NAME));
  await mkdir(folder, { recursive: true });
  for (const name of ['.old', '.young', `.removed-${NAME}`]) await writeFile(join(folder, name), 'x');
  await utimes(join(folder, '.old'), before(9), before(9));
  t.equal(await files.removeDrafts(before(1), { dryRun: true }), 1);
  t.equal((await readdir(folder)).length, 3, 'a dry run changes nothing');
  t.equal(await files.removeDrafts(before(1)), 1);
  t.strictSame((await readdir(folder)).sort(), ['.young', NAME]);
});
