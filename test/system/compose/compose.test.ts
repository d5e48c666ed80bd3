/**
 * What compose.yaml describes, started by hand where there is no Compose, and used through its
 * TLS front: a user signs in, publishes and likes.
 */
import { createServer, type Server } from 'node:net';
import { connect } from 'node:tls';
import t from 'tap';
import { jsonFile, packageText, pluginForm } from '../../community/publishing/publish/form-parts.ts';
import { ENV } from '../../deploy/compose-file.ts';
import { jpeg } from '../../fixtures/media/files.ts';
import { type Browser, loginParameters, openBrowser, send } from '../../support/browser.ts';
import { testServer } from '../../support/postgres-server.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { NO_REDIS } from '../../support/redis.ts';
import { hasCeph, NO_CEPH, startRadosGateway } from '../peers/rados-gateway.ts';
import { type Site, startSite } from './site/site.ts';

const PUBLIC_URL = ENV.PUBLIC_URL ?? '';
const HOST = new URL(PUBLIC_URL).host;
const skip =
  (!installedProgram('nginx') && notInstalled('nginx', 'nginx-light')) ||
  (!installedProgram('redis-server') && NO_REDIS) ||
  (!installedProgram('curl') && notInstalled('curl', 'curl')) ||
  (!hasCeph() && NO_CEPH);

/** A proxy for browsers: HTTP to the browser, and TLS to the front with its certificate. */
async function openTunnel({
  https,
  cert,
}: Pick<Site, 'https' | 'cert'>): Promise<{ server: Server; url: string }> {
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: https, ca: cert, servername: 'localhost' });
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { server, url: `http://127.0.0.1:${port}` };
}

async function signIn(browser: Browser): Promise<number> {
  const headers = { host: HOST };
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F', { headers });
  const body = JSON.stringify({
    account: ENV.ADMIN_EMAIL,
    password: ENV.ADMIN_PASSWORD,
    ...loginParameters(started),
  });
  const answer = await browser.call('/user/page/sign_in', { method: 'POST', body, headers });
  const { pathname, search } = new URL(String(answer.json().data.continue_to));
  return (await browser.visit(pathname + search, { site: 'same-origin', headers })).status;
}

t.setTimeout(0);
t.test('the site of compose.yaml runs and can be used', { skip, timeout: 0 }, async (t) => {
  const rados = await startRadosGateway(t);
  const { url: databaseUrl } = await testServer();
  const site = await startSite({ databaseUrl, s3: await rados.bucket('plugin-square'), env: {} });
  t.teardown(() => site.stop());
  t.comment(`healthy in this order: ${site.order.join(', ')}`);
  t.equal(site.order.at(-1), 'front');
  const { server, url } = await openTunnel(site);
  t.teardown(() => void server.close());
  const headers = { host: HOST };

  const plain = await send(`http://127.0.0.1:${site.http}`, '/plugins/', { headers });
  t.hasStrict([plain.status, plain.headers.location], [308, `${PUBLIC_URL}/plugins/`], 'http leads to https');
  const browser = openBrowser(url, PUBLIC_URL);
  t.teardown(() => browser.close());
  t.equal(await signIn(browser), 303);
  t.ok(browser.cookies.has('__Host-Http-session'), 'signed in');
  const session = (await browser.call('/api/auth/session', { headers })).json();
  t.hasStrict(session, { data: { user: { email: ENV.ADMIN_EMAIL } } });

  const cover = new File([new Uint8Array(await jpeg())], 'cover.jpg');
  const form = new Response(pluginForm({ code: jsonFile(packageText()), cover }));
  const published = await browser.call('/api/cmt/plugin', {
    method: 'POST',
    headers: { ...headers, 'content-type': form.headers.get('content-type') ?? '' },
    body: Buffer.from(await form.arrayBuffer()),
  });
  t.equal(published.status, 200, published.text);
  const { plugin_key, audit_status } = published.json().data;
  if (audit_status === 1) {
    const newest = await browser.call(`/api/cmt/plugin/edit?plugin_key=${plugin_key}`, { headers });
    const { submission_id, version } = newest.json().data;
    const body = JSON.stringify({ plugin_key, submission_id, version, audit_status: 2 });
    t.equal(
      (await browser.call('/api/cmt/plugin/audit/status', { method: 'POST', body, headers })).status,
      200,
    );
  }
  const body = JSON.stringify({ plugin_key, praise: 1 });
  const liked = await browser.call('/api/cmt/plugin/user/praise', { method: 'POST', body, headers });
  t.hasStrict(liked.json(), { code: 0, data: { is_praise: 1, praise_count: 1 } });

  for (const ended of ['gateway-1', 'community-2']) {
    site.process(ended).kill('SIGTERM');
    const { key, widths } = Object(
      (await browser.call(`/api/cmt/plugin?plugin_key=${plugin_key}`, { headers })).json().data.cover,
    );
    t.match(key, /^[0-9a-f]{32}$/, `read after ${ended} was stopped`);
    const picture = await browser.visit(`/api/cmt/media/${key}-${widths[0]}.webp`, { headers });
    t.hasStrict(
      [picture.status, picture.headers['content-type']],
      [200, 'image/webp'],
      'its picture from the store',
    );
  }
  const page = await browser.visit(`/plugins/plugin/${plugin_key}`, { headers });
  t.match([page.status, page.text], [200, /网格管家/]);
  t.match(page.headers['strict-transport-security'] ?? '', /max-age/);
});
