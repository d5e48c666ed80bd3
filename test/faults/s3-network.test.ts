import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import t from 'tap';
import { openS3Store } from '../../server/community/media/s3/store.ts';
import { contract } from '../../shared/contract.ts';
import { dataOf } from '../community/ask.ts';
import { sendForm } from '../community/send-form.ts';
import { hasCeph, NO_CEPH, startRadosGateway } from '../peers/rados-gateway.ts';
import { send } from '../support/browser.ts';
import { testCommunity } from '../support/community.ts';
import { startGateway } from '../support/gateway.ts';
import { logToMemory } from '../support/identity.ts';
import { openEdge, type Weather } from './support/edge.ts';
import { startObjectStore } from './support/object-store.ts';
import { isFull, record } from './support/results.ts';
import { crowd, healed } from './support/visitors.ts';

const SLOW = isFull ? 5000 : 200;
const skip = isFull && !hasCeph() ? NO_CEPH : false;
/** Bytes in the middle of a head, and of a video. */
const IN_HEAD = 30;
const IN_BODY = 200_000;

type Fault = { what: string; weather: Weather; logged: RegExp };
const FAULTS: Fault[] = [
  { what: 'away', weather: { kind: 'refuse' }, logged: /ECONNREFUSED/ },
  { what: 'reset mid-answer', weather: { kind: 'cut', after: IN_HEAD }, logged: /ECONNRESET|socket hang up/ },
  { what: 'answers garbage', weather: { kind: 'garbage' }, logged: /Parse Error/ },
];

/** A picture of some size that nobody has seen before. */
function noise(): Promise<Buffer> {
  const create = { width: 700, height: 100, channels: 3 as const, background: '#336699' };
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .png()
    .toBuffer();
}

t.test('the network to the file store', { skip }, async (t) => {
  const settings = isFull ? (await startRadosGateway(t)).settings : await startObjectStore(t);
  const edge = await openEdge(t, { host: '127.0.0.1', port: Number(new URL(settings.endpoint).port) });
  const { log, logged } = logToMemory();
  const files = await openS3Store({ settings: { ...settings, endpoint: edge.url }, log, now: Date.now });
  t.teardown(() => files.close());
  const community = await testCommunity(t, { files, log });
  const gateway = await startGateway(t, {
    settings: { RATE_LIMIT_FACTOR: '0' },
    upstreams: { community: community.url },
  });
  const admin = await community.bearer(1, 1);
  /** Another picture each time, so that it has to be stored. */
  const publish = async () =>
    sendForm(community.url, 'manager/plugin-banner', admin, {
      redirect_url: '/plugins/',
      picture: await noise(),
    });
  const first = await publish();
  const saved = dataOf(first, contract.saveBanner.data);
  const path = `/api/cmt/media/${saved.picture?.key}-640.webp`;
  const look = () => send(gateway.url, path);
  t.equal((await look()).status, 200);
  const goingOn = () =>
    crowd(
      async (index) => {
        const page = await gateway.browser().visit(`/plugins/?round=${index}`);
        const list = await gateway.browser().call(`/api/cmt/plugin/list?keyword=a${index}`);
        return `${page.status} ${list.status}`;
      },
      { visitors: 2, breath: 50 },
    );
  const errorsSince = (start: number) =>
    logged()
      .slice(start)
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line): Record<string, unknown> => JSON.parse(line));

  for (const { what, weather, logged: reason } of FAULTS) {
    await t.test(what, async (t) => {
      const start = logged().length;
      const others = goingOn();
      await edge.set(weather);
      const seen = await look();
      t.hasStrict(
        { status: seen.status, body: seen.json() },
        { status: 502, body: { code: 'UPSTREAM_UNAVAILABLE' } },
      );
      t.hasStrict(errorsSince(start), [{ msg: 'request failed', code: 'UPSTREAM_UNAVAILABLE', err: {} }]);
      t.match(errorsSince(start)[0]?.err, { message: reason });
      t.hasStrict(await publish(), { status: 502, json: { code: 'UPSTREAM_UNAVAILABLE' } });
      await edge.set({ kind: 'pass' });
      const seconds = await healed(async () => (await look()).status === 200);
      t.hasStrict(await publish(), { status: 200 });
      const lost = await others.leave('200 200');
      t.strictSame(Object.keys(others.outcomes), ['200 200'], 'pages and lists go on');
      record({
        fault: `S3: ${what}`,
        seen: 'pictures and uploads 502 UPSTREAM_UNAVAILABLE; everything else is there',
        logged: 'error "request failed" with `code` and `err` of the community service',
        lost,
        recovery_seconds: seconds,
      });
    });
  }

  await t.test('slow', async (t) => {
    const others = goingOn();
    await edge.set({ kind: 'slow', by: SLOW });
    t.equal((await look()).status, 200, 'is waited for');
    await edge.set({ kind: 'pass' });
    const seconds = await healed(async () => (await look()).status === 200);
    t.hasStrict(await publish(), { status: 200 });
    const lost = await others.leave('200 200');
    t.strictSame(Object.keys(others.outcomes), ['200 200']);
    record({
      fault: `S3: ${SLOW / 1000} s slow`,
      seen: 'pictures and uploads as late; everything else is there',
      logged: '`upstream.total_ms` of the request lines',
      lost,
      recovery_seconds: seconds,
    });
  });

  await t.test('a video that breaks off breaks off, and is whole when asked for again', async (t) => {
    const name = `${randomBytes(32).toString('hex')}.mp4`;
    await files.put(name, randomBytes(2 * IN_BODY));
    const watch = () => send(gateway.url, `/api/cmt/media/${name}`);
    const start = logged().length;
    await edge.set({ kind: 'cut', after: IN_BODY });
    await t.rejects(watch());
    t.hasStrict(
      errorsSince(start),
      [{ msg: 'upstream response truncated', code: 'UPSTREAM_UNAVAILABLE' }],
      'said once',
    );
    await edge.set({ kind: 'pass' });
    const seen = await watch();
    t.equal(seen.bytes.length, 2 * IN_BODY);
  });
});
