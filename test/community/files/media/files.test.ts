import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import { perUserQueue } from '../../../../server/community/files/media/limiter.ts';
import { rangeOf } from '../../../../server/community/files/media/routes.ts';
import { S3_TIMEOUTS } from '../../../../server/community/files/media/s3/client.ts';
import { createStoreMetrics } from '../../../../server/community/files/media/s3/metrics.ts';
import { openS3Store } from '../../../../server/community/files/media/s3/store.ts';
import { insertFiles, insertPictures } from '../../../../server/community/files/media/store.ts';
import {
  openVideos,
  preparePackage,
  storedName,
  storeFile,
} from '../../../../server/community/files/media/stored-files.ts';
import { BROKEN_VIDEOS } from '../../../fixtures/media/broken-videos.ts';
import { GOOD_VIDEOS } from '../../../fixtures/media/good.ts';
import { testCommunity, testFolder } from '../../../support/community.ts';
import { startFakeBucket } from '../../../support/fake-bucket.ts';
import { isStored } from '../../../support/is-stored.ts';
import { silentLog } from '../../../support/log.ts';
import { until } from '../../../support/until.ts';

t.test('a file that is put into a bucket during its removal stays', async (t) => {
  const NAME = `${'ab'.repeat(32)}.mp4`;
  const bucket = await startFakeBucket(t);
  const files = await openS3Store({ settings: bucket.settings, log: silentLog, now: Date.now });
  t.teardown(() => files.close());
  await files.put(NAME, Buffer.from('content'));
  const [deleting, going, waiting] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let looks = 0;
  bucket.before = async (method, key) => {
    if (method === 'HEAD' && key === `removing/${NAME}`) looks += 1;
    if (looks === 2) waiting?.resolve();
    if (method !== 'DELETE' || key !== `files/${NAME}`) return;
    deleting?.resolve();
    await going?.promise;
  };
  const removing = files.remove(NAME, new Date(Date.now() + 60_000));
  await deleting?.promise;
  const putting = files.put(NAME, Buffer.from('content'));
  // It has found the file that is about to be deleted, and looks again and again whether the removal has ended.
  await Promise.race([waiting?.promise, putting]);
  going?.resolve();
  t.equal(await removing, true);
  await putting;
  t.strictSame([...bucket.objects.keys()], [`files/${NAME}`]);
});

t.test('failed requests to a bucket are counted, missing files are not', async (t) => {
  const bucket = await startFakeBucket(t);
  const registry = new Registry();
  const timeouts = { connect: 3_600_000, answer: 3_600_000, attempts: 1 };
  const files = await openS3Store({
    ...{ settings: bucket.settings, log: silentLog, now: Date.now, timeouts },
    onError: createStoreMetrics(registry),
  });
  t.teardown(() => files.close());
  const name = `${'ab'.repeat(32)}.mp4`;
  t.equal(await files.get(name), undefined);
  bucket.before = (method) => (method === 'PUT' ? 507 : 503);
  await t.rejects(files.get(name), { code: 'UPSTREAM_UNAVAILABLE' });
  await t.rejects(files.get(name), { code: 'UPSTREAM_UNAVAILABLE' });
  bucket.before = (method) => (method === 'PUT' ? 507 : undefined);
  await t.rejects(files.put(name, Buffer.from('x')), { code: 'STORAGE_FULL' });
  const { values = [] } = (await registry.getMetricsAsJSON())[0] ?? {};
  t.match(values, [
    { value: 2, labels: { operation: 'HeadObject', code: 'UPSTREAM_UNAVAILABLE' } },
    { value: 1, labels: { operation: 'PutObject', code: 'STORAGE_FULL' } },
  ]);
});

t.test('a bucket that does not go on answering is given up', async (t) => {
  const name = `${'ab'.repeat(32)}.mp4`;
  const bucket = await startFakeBucket(t);
  const open = async (timeouts = S3_TIMEOUTS) => {
    const files = await openS3Store({ settings: bucket.settings, log: silentLog, now: Date.now, timeouts });
    t.teardown(() => files.close());
    return files;
  };
  await (await open()).put(name, Buffer.from('content'));
  const hasty = await open({ connect: 3_600_000, answer: 500, attempts: 1 });
  /** Its size may be late as well, on a busy machine. */
  const read = async () => (await until(() => hasty.get(name).catch(() => undefined))).stream();
  const LONG = 30_000;
  const tooLate = { code: 'UPSTREAM_TIMEOUT', statusCode: 504 };
  const found = await read();
  bucket.before = () => delay(LONG, undefined, { ref: false });
  await t.rejects(buffer(found), tooLate, 'before its content');
  await t.rejects(hasty.get(name), tooLate, 'before its size');
  await t.rejects(hasty.put(name, Buffer.from('content')), tooLate);
  bucket.before = () => undefined;
  bucket.pause = LONG;
  await t.rejects(buffer(await read()), tooLate, 'within its content');
});

t.test('store of files', async (t) => {
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
    t.equal(await isStored(files, NAME), false);
    await files.put(NAME, Buffer.from('0123456789'));
    await files.put(NAME, Buffer.from('another content is not written'));
    t.equal(await isStored(files, NAME), true);
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
      await t.rejects(isStored(files, name), { message: /not a file name/ });
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
    t.ok(Math.abs(before(5).getTime() - (listed[1]?.putAt.getTime() ?? 0)) < HOUR);
  });

  t.test('removes a file only if it was not stored since', async (t) => {
    const dataDir = await testFolder(t);
    const files = openFolderStore(dataDir);
    t.equal(await files.remove(NAME, new Date()), false, 'there is none');
    await files.put(NAME, Buffer.from('x'));
    t.equal(await files.remove(NAME, before(1)), false, 'it is younger');
    t.equal(await isStored(files, NAME), true);
    await age(dataDir, NAME, 2);
    await files.put(NAME, Buffer.from('x'));
    t.equal(await files.remove(NAME, before(1)), false, 'putting it again has made it young');
    await age(dataDir, NAME, 2);
    t.equal(await files.remove(NAME, before(1)), true);
    t.equal(await isStored(files, NAME), false);
    t.strictSame(await readdir(dirname(pathOf(dataDir, NAME))), []);
  });

  t.test('a file that is stored during its removal stays', async (t) => {
    const dataDir = await testFolder(t);
    const files = openFolderStore(dataDir);
    for (let round = 0; round < 300; round += 1) {
      await files.put(NAME, Buffer.from('content'));
      await age(dataDir, NAME, 2);
      const pause = round % 5;
      await Promise.all([
        files.remove(NAME, before(1)),
        turns(pause).then(() => files.put(NAME, Buffer.from('content'))),
      ]);
      const file = await files.get(NAME);
      if (!file || (await text(file.stream())) !== 'content') t.fail(`lost in round ${round}`);
    }
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
});

t.test('stored files', async (t) => {
  const videos = openVideos();
  t.teardown(() => videos.close());

  async function upload(t: Test, bytes: Uint8Array): Promise<string> {
    const path = join(await testFolder(t), 'upload');
    await writeFile(path, bytes);
    return path;
  }

  function sha256(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
  }

  for (const { title, bytes } of GOOD_VIDEOS) {
    t.test(`stored unchanged: ${title}`, async (t) => {
      const files = openFolderStore(await testFolder(t));
      const content = await bytes();
      const prepared = await videos.prepare(await upload(t, content), {});
      t.strictSame(await Array.fromAsync(files.list()), [], 'what is prepared is not stored');
      const kept = await storeFile(files, prepared);
      t.match(kept, { key: sha256(content), bytes: content.length, mime_type: `video/${kept.extension}` });
      t.strictSame(await storeFile(files, prepared), kept, 'again is the same');
      const file = await files.get(storedName(kept));
      t.strictSame(file && sha256(await buffer(file.stream())), kept.key);
    });
  }

  const REFUSED: Readonly<Record<string, { statusCode: number; message: string }>> = {
    VIDEO_FORMAT: { statusCode: 415, message: 'Incorrect video format!' },
    VIDEO_DAMAGED: { statusCode: 422, message: 'The video is damaged or incomplete.' },
    VIDEO_TOO_LARGE: { statusCode: 413, message: 'The video size exceeds 100 MB' },
  };
  for (const { title, bytes, code } of BROKEN_VIDEOS) {
    t.test(`rejected: ${title}`, async (t) => {
      const path = await upload(t, await bytes());
      await t.rejects(videos.prepare(path, { pointer: '/media/0' }), {
        code,
        ...REFUSED[code],
        details: [{ code, severity: 'error', pointer: '/media/0' }],
      });
    });
  }

  t.test('packages have a name that the media route does not serve', async (t) => {
    const { url, dataDir } = await testCommunity(t);
    const files = openFolderStore(dataDir);
    const content = Buffer.from('{"format":"plugin-package"}');
    const kept = await storeFile(files, preparePackage(content));
    t.strictSame(kept, {
      key: sha256(content),
      extension: 'json',
      mime_type: 'application/json',
      bytes: content.length,
    });
    t.equal(await isStored(files, storedName(kept)), true);
    const answer = await fetch(`${url}/api/cmt/media/${storedName(kept)}`);
    t.equal(answer.status, 400);
    t.hasStrict(await answer.json(), { code: 'VALIDATION_FAILED' });
  });

  t.test('rows are inserted once, and get a new time when inserted again', async (t) => {
    const { db } = await testCommunity(t);
    const picture = { key: 'ab'.repeat(32), width: 9, height: 9, widths: [16], bytes: 120 };
    const file = preparePackage(Buffer.from('{}')).file;
    await insertPictures(db, []);
    await insertFiles(db, []);
    await insertPictures(db, [picture, picture]);
    await insertFiles(db, [file, file]);
    const old = new Date('2025-01-01');
    await db.updateTable('picture').set({ created_at: old }).execute();
    await db.updateTable('stored_file').set({ created_at: old }).execute();
    await insertPictures(db, [{ ...picture, widths: [320] }]);
    await insertFiles(db, [file]);
    const pictures = await db.selectFrom('picture').selectAll().execute();
    const kept = await db.selectFrom('stored_file').selectAll().execute();
    t.hasStrict(pictures, [{ picture_key: picture.key, widths: [16], bytes: 120 }]);
    t.hasStrict(kept, [{ file_key: file.key, extension: 'json', bytes: 2 }]);
    for (const row of [...pictures, ...kept]) t.ok(row.created_at > old);
  });

  t.test('concurrent inserts of the same keys do not deadlock', async (t) => {
    const { db } = await testCommunity(t);
    const made = Array.from({ length: 20 }, (_, n) => preparePackage(Buffer.from(`{"n":${n}}`)).file);
    await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        db.transaction().execute((trx) => insertFiles(trx, turn % 2 ? made : made.toReversed())),
      ),
    );
    t.hasStrict(
      await db
        .selectFrom('stored_file')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .execute(),
      [{ n: 20 }],
    );
  });
});

t.test('limiter', async (t) => {
  /** A limiter, what has begun in which order, and how each piece of work is ended. */
  function watched(room: Parameters<typeof perUserQueue>[0]) {
    const limited = perUserQueue(room);
    const begun: string[] = [];
    const end = new Map<string, () => void>();
    const ask = (name: string, userId: number, given: { cost?: number; signal?: AbortSignal } = {}) =>
      limited({ userId, ...given }, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => end.set(name, resolve));
        return name;
      });
    const finish = async (name: string, work: Promise<unknown>): Promise<void> => {
      end.get(name)?.();
      await work;
    };
    return { ask, begun, finish };
  }

  t.test('users take turns with one task each', async (t) => {
    const { ask, begun, finish } = watched({ size: 2, waiting: 100, waitingEach: 10 });
    const ones = [1, 2, 3, 4].map((count) => ask(`a${count}`, 1));
    await Promise.resolve();
    t.strictSame(begun, ['a1'], 'there is room for another, but not of the same user');
    const [b1, b2, c1] = [ask('b1', 2), ask('b2', 2), ask('c1', 3)];
    await Promise.resolve();
    t.strictSame(begun, ['a1', 'b1']);
    await finish('a1', ones[0] ?? b1);
    t.strictSame(begun, ['a1', 'b1', 'a2'], 'who waits longest comes first');
    await finish('b1', b1);
    t.strictSame(begun, ['a1', 'b1', 'a2', 'b2']);
    await finish('a2', ones[1] ?? b1);
    t.strictSame(begun, ['a1', 'b1', 'a2', 'b2', 'c1'], 'and not who has more that waits');
    await finish('b2', b2);
    await finish('c1', c1);
    await finish('a3', ones[2] ?? b1);
    await finish('a4', ones[3] ?? b1);
    t.strictSame(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']);
  });

  t.test('limits parallel cost, and large tasks are not overtaken forever', async (t) => {
    const { ask, begun, finish } = watched({ size: 4, waiting: 100, waitingEach: 10 });
    const small = ask('small', 1);
    const large = ask('large', 2, { cost: 4 });
    const next = ask('next', 3);
    await Promise.resolve();
    t.strictSame(begun, ['small']);
    await finish('small', small);
    t.strictSame(begun, ['small', 'large']);
    await finish('large', large);
    t.strictSame(begun, ['small', 'large', 'next']);
    await finish('next', next);
    const beyond = ask('beyond', 4, { cost: 9 });
    await Promise.resolve();
    t.equal(begun.at(-1), 'beyond', 'what needs more than there is has all of it');
    await finish('beyond', beyond);
  });

  t.test('rejects too many waiting tasks of one user, or of all', async (t) => {
    const { ask, finish } = watched({ size: 1, waiting: 3, waitingEach: 2 });
    const [a1, a2, a3] = [ask('a1', 1), ask('a2', 1), ask('a3', 1)];
    const headers = { 'retry-after': '5' };
    await t.rejects(ask('a4', 1), { code: 'TOO_MANY_REQUESTS', statusCode: 429, headers });
    const b1 = ask('b1', 2);
    await t.rejects(ask('c1', 3), { code: 'SERVICE_UNAVAILABLE', statusCode: 503, headers });
    for (const [name, work] of Object.entries({ a1, a2, b1, a3 })) await finish(name, work);
    const late = ask('c2', 3);
    await Promise.resolve();
    await finish('c2', late);
  });

  t.test('an aborted task leaves the queue, a started one continues', async (t) => {
    const { ask, begun, finish } = watched({ size: 1, waiting: 100, waitingEach: 1 });
    const first = ask('first', 1);
    const gone = new AbortController();
    const waiting = ask('waiting', 1, { signal: gone.signal });
    gone.abort(new Error('gone'));
    await t.rejects(waiting, { message: 'gone' });
    const another = ask('another', 1);
    await finish('first', first);
    t.strictSame(begun, ['first', 'another']);
    await finish('another', another);
  });

  t.test('a failed task releases its capacity', async (t) => {
    const limited = perUserQueue({ size: 1, waiting: 1, waitingEach: 1 });
    await t.rejects(
      limited({ userId: 1 }, async () => Promise.reject(new Error('failed'))),
      { message: 'failed' },
    );
    t.equal(await limited({ userId: 1 }, async () => 'done'), 'done');
  });
});

t.test('media routes', async (t) => {
  const { url, dataDir } = await testCommunity(t);
  const files = openFolderStore(dataDir);
  const PICTURE = `${'1'.repeat(32)}-320.webp`;
  const OLDER_PICTURE = `${'1'.repeat(64)}-320.webp`;
  const VIDEO = `${'2'.repeat(64)}.mp4`;
  await files.put(PICTURE, Buffer.from('picture'));
  await files.put(OLDER_PICTURE, Buffer.from('older picture'));
  await files.put(VIDEO, Buffer.from('0123456789'));

  function read(name: string, headers: Record<string, string> = {}, method = 'GET') {
    return fetch(`${url}/api/cmt/media/${name}`, { headers, method });
  }

  t.test('files have their type, immutable caching and a sandbox', async (t) => {
    const response = await read(PICTURE);
    t.equal(response.status, 200);
    t.equal(await response.text(), 'picture');
    t.hasStrict(Object.fromEntries(response.headers), {
      'content-type': 'image/webp',
      'content-length': '7',
      'cache-control': 'public, s-maxage=30, max-age=31536000, immutable',
      etag: `"${PICTURE}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    t.equal(response.headers.get('vary'), null, 'the same bytes for everybody');
    t.equal((await read(VIDEO)).headers.get('content-type'), 'video/mp4');
    t.equal(
      await (await read(OLDER_PICTURE)).text(),
      'older picture',
      'by the longer name that it was given',
    );
  });

  t.test('a cached file is 304', async (t) => {
    const known = await read(PICTURE, { 'if-none-match': `"x", W/"${PICTURE}"` });
    t.equal(known.status, 304);
    t.equal(await known.text(), '');
    t.equal((await read(PICTURE, { 'if-none-match': '"x"' })).status, 200);
  });

  t.test('HEAD returns the size without the content', async (t) => {
    const response = await read(VIDEO, {}, 'HEAD');
    t.equal(response.status, 200);
    t.equal(response.headers.get('content-length'), '10');
    t.equal(await response.text(), '');
  });

  t.test('a range of a video', async (t) => {
    const parts: [range: string, content: string, told: string][] = [
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=4-', '456789', 'bytes 4-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
    ];
    for (const [range, content, told] of parts) {
      const response = await read(VIDEO, { range });
      t.equal(response.status, 206);
      t.equal(response.headers.get('content-range'), told);
      t.equal(await response.text(), content);
    }
  });

  t.test('a range beyond the end', async (t) => {
    const response = await read(VIDEO, { range: 'bytes=10-' });
    t.equal(response.status, 416);
    t.equal(response.headers.get('content-range'), 'bytes */10');
    t.hasStrict(await response.json(), {
      code: 'RANGE_NOT_SATISFIABLE',
      message: 'The file does not have this range.',
    });
  });

  t.test('an invalid range returns the whole file', async (t) => {
    for (const header of [
      undefined,
      'bytes=-',
      'bytes=5-2',
      'bytes=0-1,4-5',
      'lines=1-2',
      'bytes=a-b',
      'bytes',
    ]) {
      t.equal(rangeOf(header, 10), undefined);
    }
    t.equal(rangeOf('bytes=-0', 10), 'unsatisfiable');
    t.equal(rangeOf('bytes=0-', 0), 'unsatisfiable');
    t.strictSame(rangeOf('Bytes=4-', 10), { start: 4, end: 9 }, 'units have no case (RFC 9110 section 14.1)');
    t.strictSame(rangeOf('bytes=0-99999999999999999999', 10), { start: 0, end: 9 });
  });

  t.test('an unknown file is 404 and not cached', async (t) => {
    const response = await read(`${'3'.repeat(64)}-320.webp`);
    t.equal(response.status, 404);
    t.equal(response.headers.get('cache-control'), null);
    t.strictSame(await response.json(), { code: 'MEDIA_NOT_FOUND', message: 'This file does not exist.' });
  });
});
