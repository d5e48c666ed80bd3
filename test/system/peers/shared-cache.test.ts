import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { openBrowser } from '../../support/browser.ts';
import { endChild } from '../../support/child-process.ts';
import { startGateway } from '../../support/gateway.ts';
import { freePort } from '../../support/port.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

const nginx = installedProgram('nginx') ?? '';
const options = nginx === '' ? { skip: notInstalled('nginx', 'nginx-light') } : {};

type Test = Parameters<typeof startGateway>[0];

/** nginx in front of a gateway, which caches what the gateway allows; each response says whether it came from there. */
async function startCache(t: Test, gateway: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  await writeFile(
    file,
    `daemon off;
user root;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off; ${temporary}
  proxy_cache_path ${folder}/cache keys_zone=files:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${gateway};
      proxy_set_header Host $http_host;
      proxy_cache files;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`,
  );
  const child = spawn(nginx, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  t.teardown(async () => {
    await endChild(child, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    ),
  );
  return url;
}

t.test('R 10.21: a cache in front has each file once for everybody, and no page', options, async (t) => {
  const gateway = await startGateway(t);
  const media = `/api/cmt/media/${'1a'.repeat(16)}.webp`;
  gateway.community.on(`GET ${media}`, () =>
    stubAnswer(200, 'picture', {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    }),
  );
  const front = await startCache(t, gateway.url);
  const open = () => openBrowser(front, gateway.publicUrl);
  const [visitor, first, second] = [open(), open(), open()];
  await first.signIn({ code: 'one' });
  await second.signIn({ code: 'two' });
  for (const path of [media, '/plugins/assets/main-1a2b3c.js']) {
    const cached: unknown[] = [];
    for (const [browser, language] of [
      [visitor, 'en-US'],
      [first, 'en-US'],
      [second, 'ja-JP'],
    ] as const) {
      const answer = await browser.visit(path, { headers: { 'accept-language': language } });
      t.equal(answer.status, 200);
      cached.push(answer.headers['x-cache']);
    }
    t.strictSame(cached, ['MISS', 'HIT', 'HIT'], path);
  }
  for (const browser of [visitor, first, second, visitor]) {
    const page = await browser.visit('/plugins/');
    t.not(page.headers['x-cache'], 'HIT');
  }
});
