import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import t from 'tap';
import { traceTo } from '../../../server/runtime/tracing.ts';
import { testCommunity } from '../../support/community.ts';
import { startGateway } from '../../support/gateway.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { freePort } from '../../support/port.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LIST = '/api/cmt/plugin/list';

function lineage(spans: ReceivedSpan[], span: ReceivedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [...lineage(spans, parent), span.name] : [span.name];
}

t.test('gateway, community and database are one trace', async (t) => {
  const receiver = await startOtlpReceiver(t);
  const log = pino({ level: 'silent' });
  const tracing = traceTo({ endpoint: receiver.endpoint, serviceName: 'square', version: '1', log });
  const community = await testCommunity(t);
  const gateway = await startGateway(t, { upstreams: { community: community.url } });
  const answer = await gateway.browser().call(`${LIST}?keyword=very-private`);
  t.equal(answer.status, 200);
  await gateway.browser().call('/api/auth/callback?code=secret-code&nonce=secret-nonce');
  await tracing.stop();

  const spans = receiver.spans();
  const query = spans.find(({ name }) => name === 'SELECT');
  t.ok(query, 'a query was traced');
  if (!query) return;
  const [first, ...rest] = lineage(spans, query);
  t.equal(first, `GET ${LIST}`, 'begins at the gateway');
  t.ok(rest.includes(`GET ${LIST}`), 'continues in the community service');
  t.equal(rest.at(-1), 'SELECT', 'ends in the database');
  t.match(
    query.attributes.find(({ key }) => key === 'db.query.text')?.value.stringValue,
    /^\s*select .*\$1/s,
    'values are placeholders',
  );
  const line = gateway.lines().find(({ route }) => route === LIST);
  t.match(line?.traceparent, query.traceId, 'the log line names the trace');
  t.notMatch(receiver.text(), /very-private|secret-code|secret-nonce/);
  t.ok(receiver.serviceNames().every((name) => name === 'square'));
});

t.test('a trace of a client is continued', async (t) => {
  const receiver = await startOtlpReceiver(t);
  const log = pino({ level: 'silent' });
  const tracing = traceTo({ endpoint: receiver.endpoint, serviceName: 'square', version: '1', log });
  const gateway = await startGateway(t);
  const traceId = 'a'.repeat(32);
  const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
  await gateway.browser().call('/api/auth/session', { headers });
  await tracing.stop();
  const span = receiver.spans().find(({ name }) => name === 'GET /api/auth/session');
  t.match(span, { traceId, parentSpanId: 'b'.repeat(16) });
});

t.test('an unavailable collector loses its spans and causes one log line', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const tracing = traceTo({ endpoint, serviceName: 'square', version: '1', log });
  const gateway = await startGateway(t);
  t.equal((await gateway.browser().call('/api/auth/session')).status, 200);
  await tracing.stop();
  t.ok(lines.length <= 1);
  for (const line of lines) t.hasStrict(JSON.parse(line), { msg: 'traces could not be sent' });
});

t.test('without a collector no tracing module is loaded', async (t) => {
  const files = globSync('server/**/*.ts', { cwd: ROOT }).filter(
    (file) => file !== 'server/runtime/tracing.ts',
  );
  const loading = files.filter((file) =>
    /from '(?:@opentelemetry|@fastify\/otel|[^']*\/tracing\.ts)/.test(
      readFileSync(`${ROOT}/${file}`, 'utf8'),
    ),
  );
  t.strictSame(loading, [], 'main.ts alone does, by import()');
});
