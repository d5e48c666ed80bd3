import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { rangeOf } from '../../../server/community/media/routes.ts';
import { testCommunity } from '../../support/community.ts';

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
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${PICTURE}"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  t.equal((await read(VIDEO)).headers.get('content-type'), 'video/mp4');
  t.equal(await (await read(OLDER_PICTURE)).text(), 'older picture', 'by the longer name that it was given');
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
  for (const header of [undefined, 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b']) {
    t.equal(rangeOf(header, 10), undefined);
  }
  t.equal(rangeOf('bytes=-0', 10), 'unsatisfiable');
  t.equal(rangeOf('bytes=0-', 0), 'unsatisfiable');
});

t.test('an unknown file is 404 and not cached', async (t) => {
  const response = await read(`${'3'.repeat(64)}-320.webp`);
  t.equal(response.status, 404);
  t.equal(response.headers.get('cache-control'), null);
  t.strictSame(await response.json(), { code: 'MEDIA_NOT_FOUND', message: 'This file does not exist.' });
});
