import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { copyFiles } from '../../server/commands/copy-files.ts';
import { type FileStore, openFolderStore } from '../../server/community/files/media/files.ts';
import { collect, readArchive, writeArchive } from '../../server/storage/archive.ts';
import { testFolder } from '../support/community.ts';

t.test('archives', async (t) => {
  const CONTENT = randomBytes(100_000);

  async function* inPieces(content: Buffer): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += 9999) yield content.subarray(at, at + 9999);
  }

  async function written(folder: string): Promise<string> {
    const file = join(folder, 'archive.tar');
    await writeArchive({ file, kind: 'backup' }, async (archive) => {
      await archive.add('empty', new Uint8Array());
      await archive.addStream('content', CONTENT.length, inPieces(CONTENT));
      await archive.add('unread', Buffer.from('skipped by the reader'));
    });
    return file;
  }

  t.test('entries are read as they were written', async (t) => {
    const file = await written(await testFolder(t));
    t.equal((await stat(file)).mode & 0o777, 0o600, 'only its owner can read it');
    const found = new Map<string, Buffer>();
    const end = await readArchive({ file, kind: 'backup' }, async ({ name, pieces }) => {
      if (name !== 'unread') found.set(name, await collect(pieces));
    });
    t.match(end.sha256, /^[0-9a-f]{64}$/);
    t.strictSame([...found.keys()], ['empty', 'content']);
    t.ok(found.get('content')?.equals(CONTENT));
  });

  t.test('truncated, changed and other files are refused', async (t) => {
    const folder = await testFolder(t);
    const whole = await readFile(await written(folder));
    const file = join(folder, 'other');
    const source = { file, kind: 'backup' } as const;
    const refused = (message: RegExp) => t.rejects(readArchive(source), { name: 'StartError', message });
    for (const length of [2000, 50_000, 104_000, whole.length - 2000]) {
      await writeFile(file, whole.subarray(0, length));
      await refused(/is truncated|damaged/);
    }
    const changed = Buffer.from(whole);
    changed[50_000] = (changed[50_000] ?? 0) ^ 1;
    await writeFile(file, changed);
    await refused(/was changed or damaged: its hash does not match/);
    for (const content of [Buffer.alloc(0), Buffer.from('{}'), randomBytes(5000)]) {
      await writeFile(file, content);
      await refused(/is not a Plugin Square backup/);
    }
    await writeFile(file, whole);
    await t.rejects(readArchive({ file, kind: 'bundle' }), { message: /is not a Plugin Square bundle/ });
    await writeFile(
      file,
      whole.toString('latin1').replace('"format_version":1', '"format_version":7'),
      'latin1',
    );
    await refused(/in format 7; this release reads 1/);
    await t.rejects(readArchive({ file: join(folder, 'none'), kind: 'backup' }), {
      message: /cannot be read \(ENOENT\)/,
    });
  });

  t.test('an archive that cannot be written leaves no file', async (t) => {
    const folder = await testFolder(t);
    const file = await written(folder);
    const nothing = async () => undefined;
    await t.rejects(writeArchive({ file, kind: 'backup' }, nothing), { message: `${file} already exists.` });
    const nowhere = join(folder, 'none', 'archive.tar');
    await t.rejects(writeArchive({ file: nowhere, kind: 'backup' }, nothing), {
      message: `There is no such folder to write ${nowhere}.`,
    });
    const failing = writeArchive({ file: join(folder, 'failing'), kind: 'backup' }, async (archive) => {
      await archive.add('one', CONTENT);
      throw new Error('connection lost');
    });
    await t.rejects(failing, { message: 'connection lost' });
    async function* full() {
      yield Buffer.alloc(10);
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    }
    const other = join(folder, 'full');
    await t.rejects(
      writeArchive({ file: other, kind: 'backup' }, (archive) => archive.addStream('one', 20, full())),
      { message: `There is no space left to write ${other}.` },
    );
    t.strictSame(await readdir(folder), ['archive.tar']);
    if (process.getuid?.() === 0) return;
    await mkdir(join(folder, 'closed'));
    await chmod(join(folder, 'closed'), 0o500);
    await t.rejects(writeArchive({ file: join(folder, 'closed', 'x'), kind: 'backup' }, nothing), {
      message: /There is no permission to write/,
    });
  });
});

t.test('copy files', async (t) => {
  const CONTENTS = Array.from({ length: 30 }, (_, at) => Buffer.alloc(1000 * at, `file ${at}`));
  const nameOf = (content: Buffer) => `${createHash('sha256').update(content).digest('hex')}.mp4`;

  async function fill(files: FileStore): Promise<void> {
    for (const content of CONTENTS) await files.put(nameOf(content), content);
  }

  async function holdsAll(files: FileStore): Promise<boolean> {
    for (const content of CONTENTS) {
      const file = await files.get(nameOf(content));
      if (!file || !(await buffer(file.stream())).equals(content)) return false;
    }
    return true;
  }

  t.test('an interrupted copy can be continued, and different files are replaced', async (t) => {
    const [from, dataDir] = [openFolderStore(await testFolder(t)), await testFolder(t)];
    const to = openFolderStore(dataDir);
    await fill(from);
    let puts = 0;
    const breaking: FileStore = {
      ...to,
      put: (name, content) => {
        puts += 1;
        return puts > 10 ? Promise.reject(new Error('connection lost')) : to.put(name, content);
      },
    };
    await t.rejects(copyFiles({ from, to: breaking }), { message: 'connection lost' });
    t.hasStrict(await copyFiles({ from, to }), { copied: 20, same: 10 });
    const name = nameOf(CONTENTS[7] ?? Buffer.alloc(0));
    await writeFile(join(dataDir, 'files', name.slice(0, 2), name.slice(2, 4), name), 'damaged');
    t.hasStrict(await copyFiles({ from, to }), { copied: 1, same: 29 });
    t.ok(await holdsAll(to));
  });
});
