import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';

const LIST = '/api/cmt/plugin/list';
const INSTALL = '/api/cmt/plugin/user';

t.test('metrics by name, labels and value', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on(`GET ${LIST}`, () => ({}));
  gateway.community.on(`POST ${INSTALL}`, () => ({}));
  const browser = gateway.browser();
  await browser.call(LIST);
  await browser.call(LIST);
  await browser.visit('/plugins/protocol');
  await browser.signIn();
  await browser.call(INSTALL, { method: 'POST', body: '{}' });
  gateway.clock.ahead = 16 * 60_000;
  await browser.call(INSTALL, { method: 'POST', body: '{}' });
  await send(gateway.url, LIST);
  await send(gateway.url, LIST, {
    headers: { 'x-requested-with': 'plugin-square', cookie: 'session=1.x.AAAA' },
  });
  await browser.call('/api/auth/logout', { method: 'POST' });
  await gateway.logged();

  const text = await gateway.registry.metrics();
  const line = (expected: RegExp): void => void t.match(text, expected, String(expected));
  line(
    /^bff_http_request_duration_seconds_count\{route="\/api\/cmt\/plugin\/user",method="POST",status="200"\} 2$/m,
  );
  line(/^bff_upstream_duration_seconds_count\{upstream="community",status="200"\} [1-9]\d*$/m);
  line(/^bff_upstream_duration_seconds_count\{upstream="identity",status="200"\} [1-9]\d*$/m);
  line(/^bff_upstream_inflight 0$/m);
  line(/^bff_token_refresh_total\{outcome="renewed"\} 1$/m);
  line(/^bff_csrf_rejected_total\{reason="header"\} 1$/m);
  line(/^bff_session_total\{event="begun"\} 1$/m);
  line(/^bff_session_total\{event="ended"\} 1$/m);
  line(/^bff_session_total\{event="unusable"\} 1$/m);
  line(/^bff_cookie_bytes_count [1-9]\d*$/m);
  line(/^bff_client_abort_total 0$/m);
  line(/^bff_cache_total\{cache="answers",outcome="miss"\} 2$/m);
  line(/^bff_cache_total\{cache="answers",outcome="hit"\} [1-9]$/m);
  line(/^bff_cache_total\{cache="pages",outcome="miss"\} 1$/m);
  t.notMatch(text, 'bff_redis_up', 'only with a Redis');
});

t.test('calls in progress are counted', async (t) => {
  const gateway = await startGateway(t);
  const reached = Promise.withResolvers<void>();
  const pending = Promise.withResolvers<object>();
  gateway.community.on(`GET ${LIST}`, () => {
    reached.resolve();
    return pending.promise;
  });
  const asked = gateway.browser().call(LIST);
  await reached.promise;
  t.match(await gateway.registry.metrics(), /^bff_upstream_inflight 1$/m);
  pending.resolve({});
  await asked;
  t.match(await gateway.registry.metrics(), /^bff_upstream_inflight 0$/m);
  await gateway.community.stop();
  gateway.clock.ahead = 60_000;
  await gateway.browser().call(LIST);
  const text = await gateway.registry.metrics();
  t.match(text, /^bff_upstream_inflight 0$/m, 'failed calls are finished too');
  t.match(text, /^bff_upstream_duration_seconds_count\{upstream="community",status="none"\} 2$/m);
});

t.test('label values come from fixed lists, whatever is requested', async (t) => {
  const gateway = await startGateway(t);
  const series = async () => (await gateway.registry.metrics()).split('\n').length;
  const ask = async (from: number) => {
    for (let index = from; index < from + 50; index += 1) {
      await send(gateway.url, `/nowhere-${index}?a=${index}`);
      await send(gateway.url, `/api/cmt/unknown-${index}`, {
        headers: { 'x-requested-with': 'plugin-square' },
      });
      await send(gateway.url, `/plugins/assets/${index}.js`, {
        headers: { origin: `https://${index}.example` },
      });
      await send(gateway.url, `/plugins/${index}`);
      await send(gateway.url, `/api/x${index}`, { headers: { 'sec-fetch-site': `s${index}` } });
    }
    await gateway.logged();
  };
  await ask(0);
  const before = await series();
  await ask(50);
  t.equal(await series(), before);
});
