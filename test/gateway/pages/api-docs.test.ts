import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { Type } from 'typebox';
import { schemaText } from '../../../server/gateway/pages/api-docs.ts';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';

t.test('the OpenAPI document is valid and contains every call', async (t) => {
  const { url } = await startGateway(t, { settings: { PUBLIC_URL: 'https://plugins.example' } });
  const answer = await fetch(`${url}/api/openapi.json`);
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), 'application/json');
  const document = await answer.json();
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  t.ok(valid, JSON.stringify(errors));
  t.equal(document.openapi, '3.1.0');
  t.equal(document.servers[0].url, 'https://plugins.example');
  t.equal(document.components.securitySchemes.session.name, '__Host-Http-session');
  for (const [name, { method, path, access }] of Object.entries<Route>(contract)) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    t.equal(operation?.operationId, name);
    t.equal(operation?.['x-access'], access);
  }
});

t.test('the document’s entry of one call', async (t) => {
  const { url } = await startGateway(t);
  const { paths } = await (await fetch(`${url}/api/openapi.json`)).json();
  const list = paths['/api/cmt/plugin/list'].get;
  t.strictSame(list.security, [{ page: [] }]);
  t.hasStrict(
    list.parameters.find(({ name }: { name: string }) => name === 'limit'),
    { in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
  );
  const envelope = list.responses['200'].content['application/json'].schema;
  t.strictSame(envelope.required, ['code', 'message', 'data']);
  t.strictSame(paths['/api/cmt/plugin'].post.security, [{ page: [], session: [] }, { publishToken: [] }]);
  t.ok(paths['/api/cmt/plugin'].post.requestBody.content['multipart/form-data']);
  t.strictSame(paths['/api/cmt/media/{name}'].get.security, [{}]);
});

t.test('the page shows every call, without scripts and requests', async (t) => {
  const { url } = await startGateway(t);
  const answer = await fetch(`${url}/api/docs`);
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  t.match(policy, "default-src 'none'; style-src 'sha256-");
  t.notMatch(policy, 'unsafe');
  const html = await answer.text();
  for (const name of Object.keys(contract)) t.ok(html.includes(`id="${name}"`), name);
  t.notMatch(html, /<script|\son\w+=|https?:\/\//);
  t.ok(html.length < 300_000, 'small');
});

t.test('private deployments do not show them by default', async (t) => {
  const hidden = await startGateway(t, { settings: { DEPLOY_TYPE: 'pri' } });
  for (const path of ['/api/docs', '/api/openapi.json']) {
    const answer = await fetch(hidden.url + path, { headers: { 'x-requested-with': 'plugin-square' } });
    t.equal(answer.status, 404, path);
    t.hasStrict(await answer.json(), { code: 'NOT_FOUND' });
  }
  const shown = await startGateway(t, { settings: { DEPLOY_TYPE: 'pri', API_DOCS: 'true' } });
  t.equal((await fetch(`${shown.url}/api/docs`)).status, 200);
  const off = await startGateway(t, { settings: { API_DOCS: 'false' } });
  t.equal(
    (await fetch(`${off.url}/api/docs`, { headers: { 'x-requested-with': 'plugin-square' } })).status,
    404,
  );
});

t.test('schemas as readable text', async (t) => {
  const schema = Type.Object({
    name: Type.String({ maxLength: 64 }),
    praise: Type.Union([Type.Literal(1), Type.Literal(-1)]),
    tags: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Null()]), { maxItems: 5 })),
    rest: Type.Record(Type.String(), Type.Unknown()),
    nothing: Type.Object({}),
    any: Type.Unknown(),
  });
  t.equal(
    schemaText(schema),
    [
      '{',
      '  name: string (maxLength 64)',
      '  praise: 1 | -1',
      '  tags?: (string | null)[] (maxItems 5)',
      '  rest: object',
      '  nothing: {',
      '  }',
      '  any: anything',
      '}',
    ].join('\n'),
  );
});

t.test('documents are compressed if accepted; session data is not', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await browser.signIn();
  const get = (path: string, encodings?: string) =>
    send(gateway.url, path, { headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });
  for (const path of ['/api/openapi.json', '/plugins/docs/sample.json']) {
    const plain = await get(path);
    t.equal(plain.status, 200, path);
    t.equal(plain.headers['content-encoding'], undefined);
    const packed = await get(path, 'gzip, br');
    t.equal(packed.headers['content-encoding'], 'br');
    t.match(packed.headers.vary, 'Accept-Encoding');
    t.equal(brotliDecompressSync(packed.bytes).toString(), plain.text);
    const zipped = await get(path, 'gzip');
    t.equal(gunzipSync(zipped.bytes).toString(), plain.text);
  }
  const headers = { 'accept-encoding': 'br' };
  const session = await browser.call('/api/auth/session', { headers });
  t.equal(session.headers['content-encoding'], undefined);
});
