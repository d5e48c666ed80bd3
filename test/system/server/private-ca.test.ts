import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { loadConfig } from '../../../server/config.ts';
import { selfSigned } from '../../support/certificate.ts';
import { signToken } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { startGateway } from '../../support/gateway.ts';
import { ADMIN, ask, EXCHANGE, newPerson, testIdentity } from '../../support/identity.ts';
import { portOf } from '../../support/port.ts';
import { startProgram } from '../../support/program.ts';
import { NO_REDIS, redisProgram, startRedis } from '../../support/redis.ts';
import { noticed } from '../../support/two-gateways.ts';
import { until } from '../../support/until.ts';

type Tap = { teardown(work: () => Promise<void>): void };

/** Self-signed for 127.0.0.1: the private CA of these tests. */
const { cert, key } = selfSigned();

async function caFile(t: { testdir(): string }): Promise<string> {
  const file = join(t.testdir(), 'ca.pem');
  writeFileSync(file, cert);
  return file;
}

/** An https server with a certificate of the private CA. */
async function serveTls(t: Tap, listener: RequestListener): Promise<string> {
  const server = createServer({ cert, key }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${portOf(server)}`;
}

t.test('a separate community service: keys of identity, bucket and trace collector', async (t) => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA' }] });
  const asked = new Set<string>();
  const site = await serveTls(t, async (request, response) => {
    asked.add(`${request.method} ${request.url?.split('?', 1)[0]}`);
    for await (const _chunk of request);
    const isKeys = request.url?.startsWith('/.well-known/');
    response.writeHead(200, { 'content-type': 'application/json' }).end(isKeys ? jwks : '{}');
  });
  const { url } = await testDatabase(t, { name: 'private_ca' });
  const settings = {
    ROLE: 'community',
    DATABASE_URL: url,
    DATA_DIR: t.testdir(),
    IDENTITY_URL: site,
    S3_ENDPOINT: site,
    S3_BUCKET: 'square',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    OTEL_EXPORTER_OTLP_ENDPOINT: site,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    LOG_LEVEL: 'silent',
  };
  const headers = { authorization: `Bearer ${await signToken(privateKey, { role: 1 })}` };
  const verify = async (more: Record<string, string>): Promise<number> => {
    const program = await startProgram({ ...settings, ...more });
    try {
      const { status } = await fetch(`${program.origin}/api/cmt/manager/verify`, { headers });
      await until(() => status !== 200 || asked.has('POST /v1/traces'));
      return status;
    } finally {
      await program.stop();
    }
  };
  t.equal(await verify({}), 503, 'a stranger is not believed');
  t.strictSame(asked, new Set());
  t.equal(await verify({ UPSTREAM_CA: await caFile(t) }), 200);
  t.ok(asked.has('GET /.well-known/jwks.json'), 'keys');
  t.ok(asked.has('HEAD /square/') || asked.has('HEAD /square'), 'bucket');
  t.ok(asked.has('POST /v1/traces'), 'collector');
});

t.test('identity notifies a gateway of sign-outs', async (t) => {
  const notified: string[] = [];
  const gatewayUrl = await serveTls(t, async (request, response) => {
    const chunks = await request.toArray();
    notified.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
    notified.push(Buffer.concat(chunks).toString().slice(0, 17));
    response.end('{}');
  });
  for (const [ca, expected] of [
    [undefined, []],
    [
      cert,
      [
        'POST /api/auth/backchannel-logout application/x-www-form-urlencoded;charset=UTF-8',
        'logout_token=eyJh',
      ],
    ],
  ] as const) {
    const { app } = await testIdentity(t, { gatewayUrl, ...(ca && { ca }) });
    const parameters = { redirect_uri: 'https://square.example/api/auth/callback?nonce=n0nce' };
    const signedIn = await ask(app, 'POST /user/page/sign_in', {
      body: { account: ADMIN.email, password: ADMIN.password, ...parameters },
    });
    const code = new URL(String(signedIn.body.data.continue_to)).searchParams.get('code');
    const session = await ask(app, EXCHANGE + code);
    const bearer = String(session.body.data.access_token);
    const { userId } = await newPerson(app);
    const { status } = await ask(app, 'POST /user/member/sign_out', {
      bearer,
      body: { user_id: userId, password: ADMIN.password },
    });
    t.equal(status, 200);
    await app.close();
    t.strictSame(notified, expected);
  }
});

const program = redisProgram();
t.test('gateways share a Redis behind TLS', { skip: program === undefined ? NO_REDIS : false }, async (t) => {
  const redis = await startRedis(t, program ?? '');
  const front = createTlsServer({ cert, key }, (socket) => {
    const inner = connect(redis.url);
    socket.pipe(inner).pipe(socket);
    for (const side of [socket, inner]) side.on('error', () => socket.destroy());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.teardown(async () => void front.close());
  const REDIS_URL = `rediss://127.0.0.1:${portOf(front)}`;
  const strict = await startGateway(t, { settings: { REDIS_URL } });
  t.match(await strict.registry.metrics(), /^bff_redis_up 0$/m);
  const trusting = await startGateway(t, { settings: { REDIS_URL, UPSTREAM_CA: await caFile(t) } });
  await noticed([trusting], true);
  t.match(await trusting.registry.metrics(), /^bff_redis_up 1$/m);
});

t.test('the CA is used for the bucket, also in commands for operators', async (t) => {
  const { s3 } = loadConfig({
    S3_ENDPOINT: 'https://s3.inside',
    S3_BUCKET: 'b',
    S3_ACCESS_KEY_ID: 'i',
    S3_SECRET_ACCESS_KEY: 's',
    UPSTREAM_CA: await caFile(t),
  });
  t.equal(s3?.ca, cert);
});
