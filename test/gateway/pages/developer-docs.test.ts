import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { Type } from 'typebox';
import Schema from 'typebox/schema';
import { Value } from 'typebox/value';
import { schemaText } from '../../../server/gateway/pages/api-docs.ts';
import { createDeveloperDocs } from '../../../server/gateway/pages/documents.ts';
import { contract } from '../../../shared/contract.ts';
import { Protocol } from '../../../shared/entities/text-blocks.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { FINDING_CODES, isFindingCode, isUsable } from '../../../shared/package/finding-codes.ts';
import type { Route } from '../../../shared/route.ts';
import { BROKEN_PACKAGES } from '../../fixtures/packages/broken.ts';
import { PACKAGE_SHAPES } from '../../fixtures/packages/shapes.ts';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { COMMON_RULES, LANGUAGE_RULES } from '../../web/support/text-rules.ts';

t.test('developer docs', async (t) => {
  const docsIn = createDeveloperDocs({ origin: 'https://square.example' });
  const headingsOf = async (language: Language): Promise<string[]> =>
    (await docsIn(language)).blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []));

  t.test('every finding has its section and anchor in all languages', async (t) => {
    const codes = Object.keys(FINDING_CODES);
    t.ok(codes.length > 100);
    for (const language of LANGUAGES) {
      const docs = await docsIn(language);
      t.ok(Value.Check(Protocol, docs), language);
      const ids = await headingsOf(language);
      t.strictSame(
        ids.filter((id) => id.startsWith('finding-')),
        codes.map((code) => `finding-${code}`),
        language,
      );
      t.equal(new Set(ids).size, ids.length, 'each anchor once');
      for (const code of codes) {
        const at = docs.blocks.findIndex(
          (block) => block.kind === 'heading' && block.id === `finding-${code}`,
        );
        const [says, mends] = docs.blocks.slice(at + 1);
        if (says?.kind !== 'paragraph' || mends?.kind !== 'paragraph') {
          t.fail(`${language} ${code}: what it says and how to mend it`);
          continue;
        }
        const words = says.runs.map(({ text }) => text).join('');
        t.notMatch(words, /undefined|\{/, `${language} ${code}`);
        t.ok(words.length > 6, `${language} ${code}: its message`);
      }
    }
  });

  t.test('all languages have the same content, in the same order', async (t) => {
    const shapeOf = async (language: Language): Promise<string[]> =>
      (await docsIn(language)).blocks.map((block) =>
        block.kind === 'list'
          ? `list ${block.items.length}`
          : block.kind === 'code'
            ? block.text
            : block.kind,
      );
    const codeOf = (language: Language): string[] =>
      readFileSync(new URL(`../../../locales/docs/${language}.md`, import.meta.url), 'utf8').match(
        /`[^`\n]+`/g,
      ) ?? [];
    for (const language of LANGUAGES) {
      t.strictSame(await shapeOf(language), await shapeOf('en-US'), language);
      t.strictSame(codeOf(language).sort(), codeOf('en-US').sort(), `${language}: the same names`);
    }
  });

  t.test('the texts follow the rules of their language', async (t) => {
    for (const language of LANGUAGES) {
      const lines = readFileSync(new URL(`../../../locales/docs/${language}.md`, import.meta.url), 'utf8')
        .replace(/```[\s\S]*?```/g, '')
        .replace(/`[^`]+`/g, '42')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .split('\n')
        .map((line) => line.replace(/^(?:#+|-|\d\.) /, ''));
      const rules = [...COMMON_RULES, ...LANGUAGE_RULES[language]];
      const broken = lines.flatMap((line) =>
        rules.filter(([breach]) => breach.test(line)).map(([, says]) => `${says}: ${line}`),
      );
      t.strictSame(broken, [], language);
    }
  });

  /** Lines of a package: of the whole file, or of an object in it. */
  type Example = { code: string; at: string; wrong: string; right: string | undefined };

  const SECTION =
    /^## (\w+) (file|package|manifest|listing)\n\n```\n([\s\S]*?)\n```(?:\n\n```\n([\s\S]*?)\n```)?$/gm;
  const EXAMPLES: Example[] = readFileSync(
    new URL('../../../locales/docs/examples.md', import.meta.url),
    'utf8',
  )
    .matchAll(SECTION)
    .map(([, code = '', at = '', wrong = '', right]) => ({ code, at, wrong, right }))
    .toArray();

  /** The sample with its lines replaced by those of an example. */
  function packageWith({ at, right }: Example, lines: string): Uint8Array {
    if (at === 'file') return new TextEncoder().encode(lines);
    const sample: Record<string, unknown> = {
      format: 'plugin-package',
      formatVersion: 1,
      manifest: { name: 'Palette', main: 'main.js', networkAccess: { allowedDomains: ['none'] } },
      files: { 'main.js': 'pixso.closePlugin();' },
      listing: {},
    };
    const replaced = Object.keys(JSON.parse(`{${right ?? ''}}`));
    const without = (value: object): string[] =>
      Object.entries(value)
        .filter(([key]) => !replaced.includes(key))
        .map(([key, member]) => `${JSON.stringify(key)}: ${JSON.stringify(member)}`);
    const object = (members: string[]): string => `{\n${members.join('\n,\n')}\n}`;
    if (at === 'package') return new TextEncoder().encode(object([lines, ...without(sample)]));
    const { [at]: part, ...rest } = sample;
    const own = object([lines, ...without(Object(part))]);
    return new TextEncoder().encode(object([`${JSON.stringify(at)}: ${own}`, ...without(rest)]));
  }

  t.test('each wrong example has its finding, each right one does not', async (t) => {
    t.equal(EXAMPLES.length, 61);
    const docs = await docsIn('en-US');
    const shown = docs.blocks.flatMap((block) => (block.kind === 'code' ? [block.text] : []));
    for (const example of EXAMPLES) {
      const { code } = example;
      t.ok(isFindingCode(code));
      t.ok(shown.includes(example.wrong), `${code}: shown`);
      const codesOf = (lines: string): string[] =>
        checkPackage(packageWith(example, lines), { hosts: ['pixso'] }).findings.map(
          (finding) => finding.code,
        );
      t.ok(codesOf(example.wrong).includes(code), `${code}: ${codesOf(example.wrong)}`);
      if (example.right !== undefined) {
        t.notOk(codesOf(example.right).includes(code), `${code}: ${codesOf(example.right)}`);
      }
    }
  });

  t.test('the sample passes every check, and the schema accepts what the check accepts', async (t) => {
    const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
    const sample = await gateway.browser().visit('/plugins/docs/sample.json');
    t.equal(sample.status, 200);
    t.hasStrict(sample.headers, {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="sample.json"',
    });
    t.strictSame(checkPackage(new TextEncoder().encode(sample.text)).findings, []);
    const hello = await gateway.browser().visit('/plugins/docs/hello-world.json');
    t.equal(hello.headers['content-disposition'], 'attachment; filename="hello-world.json"');
    t.strictSame(checkPackage(new TextEncoder().encode(hello.text)).findings, []);

    const answer = await gateway.browser().visit('/plugins/docs/plugin-package.schema.json');
    t.equal(answer.headers['content-type'], 'application/schema+json; charset=utf-8');
    const schema = JSON.parse(answer.text);
    t.equal(schema.$id, 'https://square.example/plugins/docs/plugin-package.schema.json');
    t.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    const takes = (json: unknown): boolean => Schema.Check(schema, json);
    t.ok(takes(JSON.parse(sample.text)));

    const read = (bytes: Uint8Array): unknown => {
      try {
        return JSON.parse(new TextDecoder().decode(bytes));
      } catch {
        return undefined;
      }
    };
    for (const { kind, make } of PACKAGE_SHAPES) {
      const json = read(make());
      if (json !== undefined && isUsable(checkPackage(make()).findings))
        t.ok(takes(json), `${kind} is accepted`);
    }
    const SHAPE_CODES = new Set([
      ...['PACKAGE_ARRAY', 'NOT_A_PLUGIN', 'FILES_MISSING', 'FORMAT_UNKNOWN', 'FORMAT_VERSION'],
      ...['FIELD_REQUIRED', 'FIELD_EMPTY', 'FIELD_TYPE', 'TEXT_TOO_LONG', 'TOO_MANY_ITEMS', 'TOO_MANY_FILES'],
      ...['MENU_COMMAND_MISSING', 'MENU_COMMAND_SUBMENU', 'MENU_TOO_DEEP', 'TOO_MANY_DOMAINS'],
      ...['TOO_MANY_TAGS', 'VERSION_INVALID'],
    ]);
    let refused = 0;
    for (const { kind, make, code } of BROKEN_PACKAGES) {
      const json = read(make());
      if (json === undefined || !SHAPE_CODES.has(code)) continue;
      t.notOk(takes(json), `${kind} is refused`);
      refused += 1;
    }
    t.ok(refused > 20, `${refused} invalid packages`);
  });

  t.test('the text is part of the page, and has its own call', async (t) => {
    const gateway = await startGateway(t, {
      queries: [{ operation: 'readDeveloperDocs', payload: {} }],
    });
    const page = await gateway.browser().visit('/plugins/docs/?lang=ru');
    const boot = JSON.parse(/id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}');
    t.hasStrict(boot.answered, [{ operation: 'readDeveloperDocs', ok: true, data: { lang: 'ru-RU' } }]);
    t.notOk('developer_docs_url' in boot);
    const answer = await gateway.browser().call('/api/developer-docs');
    t.equal(answer.status, 200);
    t.match(answer.text, 'http://localhost:8080/api/cmt/plugin?dry_run=1', 'of this site');
    t.equal(gateway.community.requests.length, 0, 'no other request');
  });

  t.test('the URL of a deployment’s own documentation is in the boot data', async (t) => {
    const DEVELOPER_DOCS_URL = 'https://docs.example/plugins?v=2#start';
    const gateway = await startGateway(t, { settings: { DEVELOPER_DOCS_URL } });
    const page = await gateway.browser().visit('/plugins/');
    const boot = JSON.parse(/id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}');
    t.equal(boot.developer_docs_url, DEVELOPER_DOCS_URL);
  });
});

t.test('OpenAPI document', async (t) => {
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
    t.strictSame(list.security, [{ page: [] }, { tool: ['plugins:read'] }]);
    t.hasStrict(
      list.parameters.find(({ name }: { name: string }) => name === 'limit'),
      { in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
    );
    const envelope = list.responses['200'].content['application/json'].schema;
    t.strictSame(envelope.required, ['code', 'message', 'data']);
    t.strictSame(paths['/api/cmt/plugin'].post.security, [
      { page: [], session: [] },
      { publishToken: [] },
      { tool: ['plugins:publish'] },
    ]);
    t.ok(paths['/api/cmt/plugin'].post.requestBody.content['multipart/form-data']);
    t.strictSame(paths['/api/cmt/media/{name}'].get.security, [{}]);
  });

  t.test('what design tools send, by where accounts are', async (t) => {
    const documentOf = async (settings: Record<string, string>) => {
      const { url } = await startGateway(t, { settings });
      const { paths, components } = await (await fetch(`${url}/api/openapi.json`)).json();
      const { security } = paths['/api/cmt/plugin/user/new/silent'].post;
      return { security, tool: components.securitySchemes.tool };
    };
    const session = { page: [], session: [] };
    const own = await documentOf({ PUBLIC_URL: 'https://plugins.example' });
    t.strictSame(own.security, [session, { tool: ['plugins:install'] }]);
    t.match(own.tool, {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://plugins.example/oauth/authorize',
          tokenUrl: 'https://plugins.example/oauth/token',
          scopes: { 'plugins:install': 'Install, update and remove plugins for the user' },
        },
      },
    });
    const elsewhere = { IDENTITY_URL: 'https://users.example', LOGIN_URL: 'https://login.example/' };
    t.strictSame(await documentOf(elsewhere), { security: [session], tool: undefined });
    const foreign = await documentOf({ ...elsewhere, CLIENT_TOKENS: 'user-service' });
    t.strictSame(foreign.security, [session, { tool: [] }]);
    t.match(foreign.tool, { type: 'http', scheme: 'bearer' });
  });

  t.test('calls for design tools are a chapter of their own, with a promise', async (t) => {
    const { url } = await startGateway(t);
    const { paths, tags } = await (await fetch(`${url}/api/openapi.json`)).json();
    t.equal(tags[0].name, 'Client API');
    t.match(
      tags[0].description,
      'Within a major version no call, field or value of these is taken away or narrowed.',
    );
    const state = paths['/api/cmt/plugin/user/state'].get;
    t.strictSame([state.tags[0], state['x-client']], ['Client API', true]);
    t.strictSame(
      paths['/api/cmt/plugin/changes'].get.security,
      [{}],
      'neither a session nor the header of the page',
    );
    t.strictSame(paths['/api/cmt/plugin/liked'].get.tags, ['cmt / plugin']);
    const html = await (await fetch(`${url}/api/docs`)).text();
    const [chapter = '', next = ''] = html.split('<h2>').slice(1);
    t.match(chapter, /^Client API<\/h2>/);
    t.match(chapter, 'id="readInstalledState"');
    t.notMatch(next, 'id="readInstalledState"');
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
    t.ok(html.length < 350_000, 'small');
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
});
