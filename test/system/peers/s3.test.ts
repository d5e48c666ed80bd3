import { createHash, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import t from 'tap';
import { copyFiles } from '../../../server/commands/copy-files.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { openS3Client, S3_TIMEOUTS } from '../../../server/community/files/media/s3/client.ts';
import { openS3Store } from '../../../server/community/files/media/s3/store.ts';
import { testFolder } from '../../support/community.ts';
import { isStored } from '../../support/is-stored.ts';
import { silentLog } from '../../support/log.ts';
import { until } from '../../support/until.ts';
import { hasCeph, NO_CEPH, startRadosGateway } from './rados-gateway.ts';

const NAME = `${'ab'.repeat(32)}.mp4`;
const OTHER = `${'cd'.repeat(32)}-320.webp`;
const MB = 2 ** 20;
const HOUR = 3_600_000;

t.test('files in a bucket of Ceph', { skip: hasCeph() ? false : NO_CEPH }, async (t) => {
  const ceph = await startRadosGateway(t);
  let skew = 0;
  const now = () => Date.now() + skew;
  const open = (settings = ceph.settings, timeouts = S3_TIMEOUTS) =>
    openS3Store({ settings, log: silentLog, now, timeouts });
  const files = await open();
  t.teardown(() => files.close());

  await t.test('a file is stored once and read completely or in part', async (t) => {
    t.equal(await files.get(NAME), undefined);
    t.equal(await isStored(files, NAME), false);
    await files.put(NAME, Buffer.from('0123456789'));
    await files.put(NAME, Buffer.from('another content is not written'));
    t.equal(await isStored(files, NAME), true);
    const file = await files.get(NAME);
    t.equal(file?.bytes, 10);
    t.equal(file && (await text(file.stream())), '0123456789');
    t.equal(file && (await text(file.stream({ start: 2, end: 4 }))), '234');
  });

  await t.test('a stream is uploaded in parts and downloaded completely', async (t) => {
    const name = `${'12'.repeat(32)}.webm`;
    const hash = createHash('sha256');
    async function* pieces() {
      for (let piece = 0; piece < 10; piece += 1) {
        const bytes = randomBytes(MB + piece);
        hash.update(bytes);
        yield bytes;
      }
    }
    await files.put(name, pieces());
    const file = await files.get(name);
    t.equal(file?.bytes, 10 * MB + 45);
    const read = createHash('sha256');
    for await (const chunk of file?.stream() ?? []) read.update(chunk);
    t.equal(read.digest('hex'), hash.digest('hex'));
    const cut = (await files.get(name))?.stream();
    cut?.once('data', () => cut.destroy());
    await new Promise((resolve) => cut?.once('close', resolve));
    t.ok(cut?.destroyed, 'the stream is destroyed when the reader stops');
  });

  await t.test('a broken stream leaves nothing behind', async (t) => {
    async function* broken() {
      yield Buffer.alloc(9 * MB);
      throw new Error('connection lost');
    }
    await t.rejects(files.put(OTHER, broken()), { message: 'connection lost' });
    t.equal(await isStored(files, OTHER), false);
    t.equal(await files.removeDrafts(new Date(Date.now() + HOUR), { dryRun: true }), 0);
  });

  await t.test('a name that is not a content address is rejected', async (t) => {
    for (const name of ['../../etc/passwd', `${'ab'.repeat(32)}/x.mp4`, 'x.webp', '']) {
      const refused = { message: /not a file name/ };
      await t.rejects(files.get(name), refused);
      await t.rejects(isStored(files, name), refused);
      await t.rejects(files.put(name, Buffer.from('x')), refused);
      await t.rejects(files.remove(name, new Date()), refused);
    }
  });

  await t.test('every file is listed, and nothing else', async (t) => {
    const settings = await ceph.bucket('listed');
    const listed = await open(settings);
    t.teardown(() => listed.close());
    t.strictSame(await Array.fromAsync(listed.list()), []);
    await listed.put(NAME, Buffer.from('0123456789'));
    await listed.put(OTHER, Buffer.from('012'));
    const client = openS3Client(settings, S3_TIMEOUTS);
    await client.send(new PutObjectCommand({ Bucket: 'listed', Key: 'files/readme.txt', Body: 'stray' }));
    client.destroy();
    const found = (await Array.fromAsync(listed.list())).sort((a, b) => b.bytes - a.bytes);
    t.hasStrict(found, [
      { name: NAME, bytes: 10 },
      { name: OTHER, bytes: 3 },
    ]);
    t.ok(Math.abs(Date.now() - (found[0]?.putAt.getTime() ?? 0)) < HOUR);
  });

  await t.test('a file is deleted only if it was not stored again since', async (t) => {
    t.equal(await files.remove(OTHER, new Date(Date.now() + HOUR)), false, 'there is none');
    await files.put(OTHER, Buffer.from('x'));
    t.equal(await files.remove(OTHER, new Date(Date.now() - HOUR)), false, 'it is younger');
    const cutOff = new Date();
    // Its times have a resolution of one second.
    await until(() => Math.floor(Date.now() / 1000) > Math.floor(cutOff.getTime() / 1000));
    skew = 2 * HOUR;
    await files.put(OTHER, Buffer.from('x')).finally(() => {
      skew = 0;
    });
    t.equal(await files.remove(OTHER, cutOff), false, 'storing it again has renewed it');
    t.equal(await files.remove(OTHER, new Date(Date.now() + HOUR)), true);
    t.equal(await isStored(files, OTHER), false);
  });

  await t.test('a file stored during its deletion stays', async (t) => {
    for (let round = 0; round < 8; round += 1) {
      await files.put(OTHER, Buffer.from('content'));
      await Promise.all([
        files.remove(OTHER, new Date(Date.now() + HOUR)),
        delay(round).then(() => files.put(OTHER, Buffer.from('content'))),
      ]);
      const file = await files.get(OTHER);
      if (file) t.equal(await text(file.stream()), 'content');
      else t.pass('it was put before it was removed');
    }
  });

  await t.test('incomplete uploads of a killed process are deleted', async (t) => {
    const client = openS3Client(ceph.settings, S3_TIMEOUTS);
    t.teardown(() => client.destroy());
    await client.send(new CreateMultipartUploadCommand({ Bucket: 'files', Key: `files/${OTHER}` }));
    t.equal(await files.removeDrafts(new Date(Date.now() - HOUR)), 0, 'it may still be under way');
    t.equal(await files.removeDrafts(new Date(Date.now() + HOUR), { dryRun: true }), 1);
    t.equal(await files.removeDrafts(new Date(Date.now() + HOUR)), 1);
    t.equal(await files.removeDrafts(new Date(Date.now() + HOUR)), 0);
  });

  await t.test('files are copied from a folder to the bucket and back', async (t) => {
    const folder = openFolderStore(await testFolder(t));
    for (let at = 0; at < 10; at += 1) {
      const content = Buffer.alloc(1000 * at, `file ${at}`);
      await folder.put(`${createHash('sha256').update(content).digest('hex')}.mp4`, content);
    }
    const bucket = await open(await ceph.bucket('moved'));
    t.teardown(() => bucket.close());
    t.hasStrict(await copyFiles({ from: folder, to: bucket }), { copied: 10, same: 0 });
    t.hasStrict(await copyFiles({ from: folder, to: bucket }), { copied: 0, same: 10 });
    const back = openFolderStore(await testFolder(t));
    t.hasStrict(await copyFiles({ from: bucket, to: back }), { copied: 10, same: 0 });
  });

  await t.test('a wrong key, bucket or secret fails the start', async (t) => {
    const wrong = { name: 'StartError', message: /^The bucket \w+ at http:\S+ cannot be used/ };
    await t.rejects(open({ ...ceph.settings, bucket: 'nowhere' }), wrong);
    await t.rejects(open({ ...ceph.settings, accessKeyId: 'nobody' }), wrong);
    await t.rejects(open({ ...ceph.settings, secretAccessKey: 'wrong' }), wrong, 'signatures are verified');
  });

  await t.test('an exhausted quota counts as a full store', async (t) => {
    await ceph.limit(MB);
    await t.rejects(files.put(`${'34'.repeat(32)}.mp4`, Buffer.alloc(40 * MB)), { code: 'STORAGE_FULL' });
    await ceph.limit(-1);
  });

  await t.test('a store that hangs or is unavailable', async (t) => {
    const hasty = await open(ceph.settings, { connect: 3000, answer: 3000, attempts: 1 });
    t.teardown(() => hasty.close());
    ceph.pause();
    await t.rejects(isStored(hasty, NAME), { code: 'UPSTREAM_TIMEOUT', statusCode: 504 });
    ceph.resume();
    t.equal(await isStored(hasty, NAME), true, 'it is used again at once');
    const away = await open({ ...ceph.settings, endpoint: 'http://127.0.0.1:9' });
    t.teardown(() => away.close());
    await t.rejects(away.get(NAME), { code: 'UPSTREAM_UNAVAILABLE', statusCode: 502 });
  });
});
