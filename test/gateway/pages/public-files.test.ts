import { brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import { startGateway } from '../../support/gateway.ts';

t.test('assets are immutable and served pre-compressed', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  const plain = await browser.visit('/plugins/assets/main-1a2b3c.js');
  t.equal(plain.status, 200);
  t.match(plain.headers['content-type'], 'javascript');
  t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.equal(plain.headers['x-content-type-options'], 'nosniff');
  t.strictSame(plain.setCookies, []);
  const packed = await browser.visit('/plugins/assets/main-1a2b3c.js', {
    headers: { 'accept-encoding': 'gzip, br' },
  });
  t.equal(packed.headers['content-encoding'], 'br');
  t.match(packed.headers['content-type'], 'javascript');
  t.equal(brotliDecompressSync(packed.bytes).toString(), plain.text);
  t.match(packed.headers.vary, /accept-encoding/i);
});

t.test('requirement 34: a missing asset is 404, never a page', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  for (const path of [
    '/plugins/assets/missing.js',
    '/plugins/assets/',
    '/plugins/assets/fonts',
    '/plugins/assets/fonts/',
    '/plugins/assets/index.html',
    '/plugins/assets/.hidden',
    '/plugins/assets/main-1a2b3c.js/',
    '/favicon.ico',
  ]) {
    const answer = await browser.visit(path);
    t.equal(answer.status, 404, path);
    t.equal(answer.json().code, 'NOT_FOUND');
    t.equal(answer.headers['cache-control'], 'no-store');
  }
});

t.test('other public files of the build are served, and no others', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  const answer = await browser.visit('/plugins/humans.txt');
  t.equal(answer.status, 200);
  t.equal(answer.text, 'Made by people.\n');
  t.equal(answer.headers['cache-control'], 'public, max-age=3600');
  t.equal((await browser.visit('/humans.txt')).status, 404, 'the root belongs to the main site');
  t.notMatch((await browser.visit('/plugins/index.html')).text, 'not to be served');
});
