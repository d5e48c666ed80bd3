import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { analyticsOf } from '../../server/gateway/pages/render.ts';
import { DEPLOY_TYPES } from '../../shared/deploy-types.ts';
import { cookieHeader, type Sending, send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { portOf } from '../support/port.ts';
import { startStub, stubAnswer } from '../support/stub-upstream.ts';
import { until } from '../support/until.ts';

t.test('collector', async (t) => {
  /** An event in the format of the page's library. */
  const EVENT = `data=${encodeURIComponent(Buffer.from('{"event":"$pageview","pid":9497}').toString('base64'))}&ext=crc%3D-1201`;

  async function withCollector(
    t: Parameters<typeof startGateway>[0],
    settings: Record<string, string> = {},
    base = '/in',
  ) {
    const collector = await startStub(t);
    collector.on(`POST ${base}`, () => stubAnswer(202, ''));
    const gateway = await startGateway(t, {
      settings: { COLLECTOR_URL: `${collector.url}${base}`, ...settings },
    });
    /** The request of `navigator.sendBeacon` from a page of the site. */
    const beacon = (sending: Sending = {}) =>
      send(gateway.url, '/api/collect', {
        method: 'POST',
        body: EVENT,
        ...sending,
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          origin: gateway.publicUrl,
          'sec-fetch-site': 'same-origin',
          ...sending.headers,
        },
      });
    const received = async (count: number) => {
      await until(() => collector.requests.length >= count);
      return collector.requests;
    };
    return { gateway, collector, beacon, received };
  }

  t.test('an event is answered immediately and relayed unchanged, without cookie or token', async (t) => {
    const { gateway, beacon, received } = await withCollector(t);
    const browser = gateway.browser();
    await browser.signIn();
    const cookie = cookieHeader(browser.cookies);
    const answer = await beacon({
      headers: { cookie, authorization: 'Bearer CANARY', 'user-agent': 'Some Browser', 'x-other': 'CANARY' },
    });
    t.equal(answer.status, 204);
    t.equal(answer.text, '');
    t.strictSame(answer.setCookies, []);
    const [seen] = await received(1);
    t.equal(seen?.path, '/in');
    t.equal(seen?.query.get('project'), 'production');
    t.equal(seen?.body.toString(), EVENT);
    t.hasStrict(seen?.headers, {
      'content-type': 'text/plain;charset=UTF-8',
      'user-agent': 'Some Browser',
      'x-forwarded-for': '127.0.0.1',
    });
    t.equal(seen?.headers.cookie, undefined);
    t.notMatch(JSON.stringify(seen?.headers), 'CANARY');
  });

  for (const type of [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    t.test(`content type ${type} is refused`, async (t) => {
      const { beacon, received } = await withCollector(t);
      const answer = await beacon({ headers: { 'content-type': type } });
      t.equal(answer.status, 415);
      t.equal(answer.json().code, 'UNSUPPORTED_MEDIA_TYPE');
      t.equal(answer.json().message, 'This content type is not supported.');
      await beacon();
      t.equal((await received(1)).length, 1, 'only the event after it');
    });
  }

  for (const [what, body] of Object.entries({
    'no text': '',
    JSON: '{"event":"$pageview"}',
    'an event without its checksum': 'data=eyJ9',
    'an event with something after it': `${EVENT}&token=1`,
    'an event on two lines': `${EVENT}\n${EVENT}`,
    'an event that is not encoded': 'data=<b>&ext=crc%3D1',
  })) {
    t.test(`refused as an event: ${what}`, async (t) => {
      const { beacon, received } = await withCollector(t);
      const answer = await beacon({ body });
      t.equal(answer.status, 400);
      t.equal(answer.json().code, 'MALFORMED_BODY');
      t.equal(answer.json().message, 'The request body could not be read.');
      await beacon();
      t.equal((await received(1)).length, 1, 'only the event after it');
    });
  }

  for (const [type, project] of Object.entries({
    domestic: 'production',
    overseas: 'production',
    dev: 'default',
    pri: 'default',
    cluster: 'default',
  })) {
    t.test(`events of a ${type} site go to the project ${project}`, async (t) => {
      const { beacon, received } = await withCollector(t, { DEPLOY_TYPE: type });
      await beacon();
      t.equal((await received(1))[0]?.query.get('project'), project);
    });
  }

  t.test('a collector URL without a path', async (t) => {
    const { beacon, received } = await withCollector(t, {}, '/');
    await beacon();
    t.equal((await received(1))[0]?.path, '/');
  });

  t.test('R 9.11, R 9.12: a beacon needs the origin, not the custom header', async (t) => {
    const { gateway, beacon, received } = await withCollector(t);
    const plain = (headers: Record<string, string>) =>
      send(gateway.url, '/api/collect', {
        method: 'POST',
        body: EVENT,
        headers: { 'content-type': 'text/plain', ...headers },
      });
    t.equal((await plain({ origin: gateway.publicUrl })).status, 204, 'an older browser');
    t.equal((await plain({ 'sec-fetch-site': 'same-origin' })).status, 204);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: gateway.publicUrl, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      const answer = await plain(headers);
      t.equal(answer.status, 403, JSON.stringify(headers));
      t.equal(answer.json().code, 'CSRF_REFUSED');
    }
    await beacon();
    t.equal((await received(3)).length, 3);
  });

  t.test('oversized events and other methods are refused', async (t) => {
    const { gateway, beacon, received } = await withCollector(t);
    const eventOf = (bytes: number) => `data=${'A'.repeat(bytes - 21)}&ext=crc%3D12345`;
    const large = await beacon({ body: eventOf(64 * 1024 + 1) });
    t.equal(large.status, 413);
    t.equal(large.json().code, 'BODY_TOO_LARGE');
    t.equal((await beacon({ body: eventOf(64 * 1024) })).status, 204);
    const read = await send(gateway.url, '/api/collect', {
      headers: { 'x-requested-with': 'plugin-square' },
    });
    t.equal(read.status, 404);
    t.equal((await received(1)).length, 1);
  });

  t.test('without a collector the call is 404', async (t) => {
    const gateway = await startGateway(t);
    const answer = await send(gateway.url, '/api/collect', {
      method: 'POST',
      body: EVENT,
      headers: { 'content-type': 'text/plain', origin: gateway.publicUrl },
    });
    t.equal(answer.status, 404);
    t.equal(answer.json().code, 'NOT_FOUND');
  });

  t.test('a failing or hanging collector does not affect the response', async (t) => {
    const { gateway, beacon, collector, received } = await withCollector(t);
    collector.on('POST /in', () => stubAnswer(500, 'no'));
    t.equal((await beacon()).status, 204);
    await received(1);
    await collector.stop();
    t.equal((await beacon()).status, 204);
    const told = await until(() => {
      const lines = gateway.lines().filter(({ msg }) => String(msg).startsWith('collector '));
      return lines.length > 1 && lines;
    });
    const metrics = await gateway.registry.metrics();
    t.match(metrics, 'bff_upstream_duration_seconds_count{upstream="collector",status="500"} 1');
    t.match(metrics, 'bff_upstream_duration_seconds_count{upstream="collector",status="none"} 1');
    t.hasStrict(told, [
      { level: 'debug', msg: 'collector rejected event', status: 500 },
      { level: 'debug', msg: 'collector unavailable', err: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);

    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.teardown(() => void silent.close());
    silent.on('connection', (socket) => t.teardown(() => void socket.destroy()));
    const unhurried = await startGateway(t, {
      settings: { COLLECTOR_URL: `http://127.0.0.1:${portOf(silent)}` },
    });
    const answer = await send(unhurried.url, '/api/collect', {
      method: 'POST',
      body: EVENT,
      headers: { 'content-type': 'text/plain', origin: unhurried.publicUrl },
    });
    t.equal(answer.status, 204, 'answered although the collector hangs');
  });
});

t.test('analytics', async (t) => {
  const COLLECTOR = { COLLECTOR_URL: 'http://collector.example/sa', PRODUCT: '7' };

  t.test('events are collected if law and deploy type allow it', async (t) => {
    for (const type of DEPLOY_TYPES) {
      const when = { domestic: 'always', overseas: 'with-consent' }[String(type)] ?? null;
      t.strictSame(
        analyticsOf(loadConfig({ DEPLOY_TYPE: type, ...COLLECTOR })),
        when && { when, product: '7' },
        type,
      );
    }
  });

  t.test('no events without a collector', async (t) => {
    for (const type of DEPLOY_TYPES) t.equal(analyticsOf(loadConfig({ DEPLOY_TYPE: type })), null, type);
  });
});
