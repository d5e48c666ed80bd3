import { readFileSync } from 'node:fs';
import t from 'tap';
import Schema from 'typebox/schema';
import { Value } from 'typebox/value';
import { createDeveloperDocs } from '../../../server/gateway/pages/documents.ts';
import { Protocol } from '../../../shared/entities/text-blocks.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { FINDING_CODES, isFindingCode, isUsable } from '../../../shared/package/finding-codes.ts';
import { BROKEN_PACKAGES } from '../../fixtures/packages/broken.ts';
import { PACKAGE_SHAPES } from '../../fixtures/packages/shapes.ts';
import { startGateway } from '../../support/gateway.ts';
import { COMMON_RULES, LANGUAGE_RULES } from '../../web/support/text-rules.ts';

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
      const at = docs.blocks.findIndex((block) => block.kind === 'heading' && block.id === `finding-${code}`);
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
      block.kind === 'list' ? `list ${block.items.length}` : block.kind === 'code' ? block.text : block.kind,
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
  t.equal(EXAMPLES.length, 58);
  const docs = await docsIn('en-US');
  const shown = docs.blocks.flatMap((block) => (block.kind === 'code' ? [block.text] : []));
  for (const example of EXAMPLES) {
    const { code } = example;
    t.ok(isFindingCode(code));
    t.ok(shown.includes(example.wrong), `${code}: shown`);
    const codesOf = (lines: string): string[] =>
      checkPackage(packageWith(example, lines)).findings.map((finding) => finding.code);
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
