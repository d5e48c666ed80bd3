import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { insertFiles, insertPictures } from '../../../server/community/media/store.ts';
import {
  openVideos,
  preparePackage,
  storedName,
  storeFile,
} from '../../../server/community/media/stored-files.ts';
import { BROKEN_VIDEOS } from '../../fixtures/media/broken-videos.ts';
import { GOOD_VIDEOS } from '../../fixtures/media/good.ts';
import { testCommunity, testFolder } from '../../support/community.ts';

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

for (const { title, bytes, code } of BROKEN_VIDEOS) {
  t.test(`rejected: ${title}`, async (t) => {
    const path = await upload(t, await bytes());
    await t.rejects(videos.prepare(path, { pointer: '/media/0' }), {
      code,
      statusCode: code === 'VIDEO_TOO_LARGE' ? 413 : 415,
      message: code === 'VIDEO_TOO_LARGE' ? 'The video size exceeds 100 MB' : 'Incorrect video format!',
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
  t.equal(await files.has(storedName(kept)), true);
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
