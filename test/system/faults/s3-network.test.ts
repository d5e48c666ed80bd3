import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import sharp from 'sharp';
import t from 'tap';
import type { S3Settings } from '../../../server/community/files/media/s3/client.ts';
import { openS3Store } from '../../../server/community/files/media/s3/store.ts';
import { contract } from '../../../shared/contract.ts';
import { dataOf } from '../../community/ask.ts';
import { sendForm } from '../../community/send-form.ts';
import { send } from '../../support/browser.ts';
import { testCommunity } from '../../support/community.ts';
import { startGateway } from '../../support/gateway.ts';
import { logToMemory } from '../../support/identity.ts';
import { portOf } from '../../support/port.ts';
import { hasCeph, NO_CEPH, startRadosGateway } from '../peers/rados-gateway.ts';
import { startClients, waitForRecovery } from './support/clients.ts';
import { type NetworkFault, startFaultyProxy } from './support/faulty-proxy.ts';
import { isFull, record } from './support/results.ts';

const SLOW = isFull ? 5000 : 200;
const skip = isFull && !hasCeph() ? NO_CEPH : false;
/** Offsets in bytes inside the response head and inside a video. */
const IN_HEAD = 30;
const IN_BODY = 200_000;

type Fault = { what: string; networkFault: NetworkFault; logged: RegExp };
const FAULTS: Fault[] = [
  { what: 'unreachable', networkFault: { kind: 'refuse' }, logged: /ECONNREFUSED/ },
  {
    what: 'reset in the middle of a response',
    networkFault: { kind: 'cut', after: IN_HEAD },
    logged: /ECONNRESET|socket hang up/,
  },
  { what: 'sends random bytes', networkFault: { kind: 'garbage' }, logged: /Parse Error/ },
];

/** A new picture each time. */
function randomPicture(): Promise<Buffer> {
  const create = { width: 700, height: 100, channels: 3 as const, background: '#336699' };
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .png()
    .toBuffer();
}

t.test('the network to the file store', { skip }, async (t) => {
  const settings = isFull ? (await startRadosGateway(t)).settings : await startObjectStore(t);
  const proxy = await startFaultyProxy(t, {
    host: '127.0.0.1',
    port: Number(new URL(settings.endpoint).port),
  });
  const { log, logged } = logToMemory();
  const files = await openS3Store({ settings: { ...settings, endpoint: proxy.url }, log, now: Date.now });
  t.teardown(() => files.close());
  const community = await testCommunity(t, { files, log });
  const gateway = await startGateway(t, {
    settings: { RATE_LIMIT_FACTOR: '0' },
    upstreams: { community: community.url },
  });
  const admin = await community.bearer(1, 1);
  /** With a new picture each time, which has to be stored. */
  const publish = async () =>
    sendForm(community.url, 'manager/plugin-banner', admin, {
      redirect_url: '/plugins/',
      picture: await randomPicture(),
    });
  const first = await publish();
  const saved = dataOf(first, contract.saveBanner.data);
  const path = `/api/cmt/media/${saved.picture?.key}-640.webp`;
  const load = () => send(gateway.url, path);
  t.equal((await load()).status, 200);
  const startOtherClients = () =>
    startClients(
      async (index) => {
        const page = await gateway.browser().visit(`/plugins/?round=${index}`);
        const list = await gateway.browser().call(`/api/cmt/plugin/list?keyword=a${index}`);
        return `${page.status} ${list.status}`;
      },
      { visitors: 2, pause: 50 },
    );
  const errorsSince = (start: number) =>
    logged()
      .slice(start)
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line): Record<string, unknown> => JSON.parse(line));

  for (const { what, networkFault, logged: reason } of FAULTS) {
    await t.test(what, async (t) => {
      const start = logged().length;
      const others = startOtherClients();
      await proxy.set(networkFault);
      const seen = await load();
      t.hasStrict(
        { status: seen.status, body: seen.json() },
        { status: 502, body: { code: 'UPSTREAM_UNAVAILABLE' } },
      );
      t.hasStrict(errorsSince(start), [{ msg: 'request failed', code: 'UPSTREAM_UNAVAILABLE', err: {} }]);
      t.match(errorsSince(start)[0]?.err, { message: reason });
      t.hasStrict(await publish(), { status: 502, json: { code: 'UPSTREAM_UNAVAILABLE' } });
      await proxy.set({ kind: 'pass' });
      const seconds = await waitForRecovery(async () => (await load()).status === 200);
      t.hasStrict(await publish(), { status: 200 });
      const lost = await others.stop('200 200');
      t.strictSame(Object.keys(others.outcomes), ['200 200'], 'pages and lists still work');
      record({
        fault: `S3: ${what}`,
        seen: '502 UPSTREAM_UNAVAILABLE for pictures and uploads; everything else works',
        logged: 'error "request failed" with `code` and `err` of the community service',
        lost,
        recovery_seconds: seconds,
      });
    });
  }

  await t.test('slow', async (t) => {
    const others = startOtherClients();
    await proxy.set({ kind: 'slow', by: SLOW });
    t.equal((await load()).status, 200, 'a slow answer is awaited');
    await proxy.set({ kind: 'pass' });
    const seconds = await waitForRecovery(async () => (await load()).status === 200);
    t.hasStrict(await publish(), { status: 200 });
    const lost = await others.stop('200 200');
    t.strictSame(Object.keys(others.outcomes), ['200 200']);
    record({
      fault: `S3: ${SLOW / 1000} s slow`,
      seen: 'pictures and uploads are slow; everything else works',
      logged: '`upstream.total_ms` in the request lines',
      lost,
      recovery_seconds: seconds,
    });
  });

  await t.test('a truncated video ends early and is complete on the next request', async (t) => {
    const name = `${randomBytes(32).toString('hex')}.mp4`;
    await files.put(name, randomBytes(2 * IN_BODY));
    const download = () => send(gateway.url, `/api/cmt/media/${name}`);
    const start = logged().length;
    await proxy.set({ kind: 'cut', after: IN_BODY });
    await t.rejects(download());
    t.hasStrict(
      errorsSince(start),
      [{ msg: 'upstream response truncated', code: 'UPSTREAM_UNAVAILABLE' }],
      'logged once',
    );
    await proxy.set({ kind: 'pass' });
    const seen = await download();
    t.equal(seen.bytes.length, 2 * IN_BODY);
  });
});

type Stored = { bytes: Buffer; at: Date };

/** The S3 calls for whole files, in memory, without signatures. Short runs use it because Ceph starts slowly. */
async function startObjectStore(t: { teardown(work: () => void): void }): Promise<S3Settings> {
  const objects = new Map<string, Stored>();
  const server = createServer((request, response) => void handleRequest(objects, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => void server.close());
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  };
}

async function handleRequest(
  objects: Map<string, Stored>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://store');
  const content = Buffer.concat(await request.toArray());
  if (pathname === '/files' || pathname === '/files/') response.end();
  else if (request.method === 'PUT') {
    objects.set(pathname, { bytes: content, at: new Date() });
    response.setHeader('etag', '"1"').end();
  } else if (request.method === 'DELETE') {
    objects.delete(pathname);
    response.writeHead(204).end();
  } else sendObject(objects.get(pathname), response);
}

function sendObject(found: Stored | undefined, response: ServerResponse): void {
  if (!found) {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, { 'content-length': found.bytes.length, 'last-modified': found.at.toUTCString() })
    .end(found.bytes);
}
