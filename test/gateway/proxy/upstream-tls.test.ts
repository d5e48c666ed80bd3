import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import t from 'tap';
import { send } from '../../support/browser.ts';
import { selfSigned } from '../../support/certificate.ts';
import { startGateway } from '../../support/gateway.ts';
import { portOf } from '../../support/port.ts';

t.test('requirement 33: TLS to upstreams is verified; UPSTREAM_CA adds a CA', async (t) => {
  const { cert, key } = selfSigned();
  let asked = 0;
  const server = createServer({ cert, key }, (_request, response) => {
    asked += 1;
    response.end('{"code":0}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const upstreams = { helpcenter: `https://127.0.0.1:${portOf(server)}` };
  const headers = { 'x-requested-with': 'plugin-square' };

  const strict = await startGateway(t, { upstreams });
  const refused = await send(strict.url, '/api/helpcenter/x', { headers });
  t.equal(refused.status, 502);
  t.equal(refused.json().code, 'UPSTREAM_UNAVAILABLE');
  t.equal(asked, 0, 'no request was sent to an unverified server');

  const file = join(t.testdir(), 'ca.pem');
  writeFileSync(file, cert);
  const trusting = await startGateway(t, { upstreams, settings: { UPSTREAM_CA: file } });
  const passed = await send(trusting.url, '/api/helpcenter/x', { headers });
  t.equal(passed.status, 200);
  t.equal(passed.text, '{"code":0}');

  const other = join(t.testdir(), 'other.pem');
  writeFileSync(other, selfSigned().cert);
  const mistaken = await startGateway(t, { upstreams, settings: { UPSTREAM_CA: other } });
  t.equal((await send(mistaken.url, '/api/helpcenter/x', { headers })).status, 502);
  t.equal(asked, 1);
});
