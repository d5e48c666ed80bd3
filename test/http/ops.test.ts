import { Counter, Registry } from 'prom-client';
import t from 'tap';
import { createLog } from '../../server/http/log.ts';
import { createOps } from '../../server/http/ops.ts';

t.test('alive, ready, and the figures', async (t) => {
  const registry = new Registry();
  new Counter({ name: 'things_total', help: 'Things', registers: [registry] }).inc(3);
  let isReady = false;
  const app = createOps({
    log: createLog({ level: 'silent', version: 'test' }),
    registry,
    ready: () => isReady,
  });
  t.teardown(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const status = async (path: string) => (await fetch(url + path)).status;

  t.equal(await status('/livez'), 200);
  t.equal(await status('/readyz'), 503);
  isReady = true;
  t.equal(await status('/readyz'), 200);
  t.equal(await status('/other'), 404);
  const metrics = await fetch(`${url}/metrics`);
  t.match(metrics.headers.get('content-type'), 'text/plain');
  t.match(await metrics.text(), 'things_total 3');
});

t.test('what is missing is told with the answer, and takes nobody out of service', async (t) => {
  const missing: string[] = [];
  let isReady = true;
  const app = createOps({
    log: createLog({ level: 'silent', version: 'test' }),
    registry: new Registry(),
    ready: () => isReady,
    degraded: () => missing,
  });
  t.teardown(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const readyz = async () => {
    const answer = await fetch(`${url}/readyz`);
    return [answer.status, await answer.text()];
  };
  t.strictSame(await readyz(), [200, 'ok']);
  missing.push('there are no tags', 'something else');
  t.strictSame(await readyz(), [200, 'ok\ndegraded: there are no tags\ndegraded: something else']);
  isReady = false;
  t.hasStrict(await readyz(), [503]);
});
