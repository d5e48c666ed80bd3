import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openVideos } from '../../../server/community/files/media/stored-files.ts';
import { importBatch, packageOf } from '../../community/publishing/batch/send-batch.ts';
import { formOf, jsonFile, pluginForm } from '../../community/publishing/publish/form-parts.ts';
import { publishing } from '../../community/publishing/publish/publishing.ts';
import { avifBomb, mp4Bomb, webmBomb } from '../../fixtures/media/bombs.ts';
import { mp4 } from '../../fixtures/media/files.ts';
import { testCommunity, testFolder } from '../../support/community.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { send, storedState } = publishing(community);

t.test('a picture with too many pixels is refused by its header, in every field', async (t) => {
  const bomb = new Uint8Array(await avifBomb());
  // A first call stores who calls.
  await importBatch(community, { files: [['a.json', '{}']] });
  await send(pluginForm({ code: jsonFile('{}') }));
  const before = await storedState();
  const file = new File([bomb], 'a.avif');
  const limits = { icon: '4', cover: '8.5', panel: '8.5', media: '8.5' };
  for (const [field, limit] of Object.entries(limits)) {
    const pointer = field === 'media' ? '/media/0' : `/${field}`;
    t.hasStrict(await send(pluginForm({ [field]: file })), {
      status: 413,
      json: {
        code: 'IMAGE_TOO_MANY_PIXELS',
        message: `The image has more than ${limit} megapixels.`,
        errors: [{ code: 'IMAGE_TOO_MANY_PIXELS', pointer, params: { limit } }],
      },
    });
  }
  const icon = `data:image/avif;base64,${Buffer.from(bomb).toString('base64')}`;
  const packaged = JSON.stringify(packageOf({ listing: { icon } }));
  t.hasStrict(await send(pluginForm({ code: jsonFile(packaged) })), {
    status: 413,
    json: { code: 'IMAGE_TOO_MANY_PIXELS', errors: [{ pointer: '/icon', params: { limit: '4' } }] },
  });
  const [item] = await importBatch(community, { files: [['a.json', packaged]] });
  t.hasStrict(item, {
    ok: false,
    errors: [{ code: 'IMAGE_TOO_MANY_PIXELS', pointer: '/listing/icon', params: { limit: '4' } }],
  });
  t.strictSame(await storedState(), before, 'and nothing is stored');
});

t.test('the same limits apply to administrators', async (t) => {
  const file = new File([new Uint8Array(await avifBomb())], 'a.avif');
  const headers = await community.bearer(1, 1);
  for (const [path, form, limit] of [
    ['plugin-banner', formOf({ picture: file, default_lang: 'en-US' }), '8.5'],
    ['qr-code', formOf({ picture: file, name: 'Group' }), '4'],
  ] as const) {
    const response = await fetch(`${community.url}/api/cmt/manager/${path}`, {
      method: 'PUT',
      headers,
      body: form,
    });
    t.equal(response.status, 413);
    t.hasStrict(await response.json(), { code: 'IMAGE_TOO_MANY_PIXELS', errors: [{ params: { limit } }] });
  }
});

t.test('a video is read in a worker thread', async (t) => {
  const videos = openVideos();
  t.teardown(() => videos.close());
  const folder = await testFolder(t);
  const small = join(folder, 'small');
  await writeFile(small, mp4());
  const { file } = await videos.prepare(small, {});
  t.match(file, { key: createHash('sha256').update(mp4()).digest('hex'), extension: 'mp4' });
  for (const [name, bomb] of Object.entries({ mp4: mp4Bomb, webm: webmBomb })) {
    const path = join(folder, name);
    await writeFile(path, bomb(86_000_000));
    const here = process.threadCpuUsage();
    const all = process.cpuUsage();
    await t.rejects(videos.prepare(path, { pointer: '/media/0' }), {
      code: 'VIDEO_DAMAGED',
      statusCode: 422,
    });
    const mine = process.threadCpuUsage(here).user;
    const { user } = process.cpuUsage(all);
    t.ok(mine < user / 2, `${name}: ${mine} of ${user} microseconds`);
  }
});
