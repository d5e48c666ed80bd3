import { readFile, stat } from 'node:fs/promises';
import t from 'tap';
import { formOf, serveForm } from './form-app.ts';

const blob = (bytes: number, fill = 'a') => new Blob([fill.repeat(bytes)]);

t.test('the handler gets fields and files, which are deleted after the response', async (t) => {
  const seen: { text: string; mode: number; filename: string; bytes: number }[] = [];
  const { send, left } = await serveForm(t, async ({ fields, files, query }) => {
    for (const { path, filename, bytes } of Object.values(files).flat()) {
      const { mode } = await stat(path);
      seen.push({ text: await readFile(path, 'utf8'), mode: mode & 0o777, filename, bytes });
    }
    return { fields, query };
  });
  const form = formOf({
    name: '{"en-US":"Grid","zh-CN":"网格"}',
    note: '[1]',
    number: '12',
    is_on: 'true',
    list: '[{"key":"a"}]',
    one: new File(['hello'], '../../etc/名字.json'),
    few: [new File(['x'], 'x.png'), new File(['yy'], 'y.png')],
  });
  const { status, json } = await send(form, '?dry_run=1');
  t.equal(status, 200);
  t.strictSame(json, {
    code: 0,
    message: 'ok',
    data: {
      fields: {
        name: { 'en-US': 'Grid', 'zh-CN': '网格' },
        note: '[1]',
        number: 12,
        is_on: true,
        list: [{ key: 'a' }],
      },
      query: { dry_run: 1 },
    },
  });
  t.strictSame(seen, [
    { text: 'hello', mode: 0o600, filename: '名字.json', bytes: 5 },
    { text: 'x', mode: 0o600, filename: 'x.png', bytes: 1 },
    { text: 'yy', mode: 0o600, filename: 'y.png', bytes: 2 },
  ]);
  t.strictSame(await left(), []);
});

t.test("plain text is in default_lang, or else in the request's language", async (t) => {
  const { send } = await serveForm(t, ({ fields }) => fields);
  const name = '{broken';
  t.hasStrict((await send(formOf({ name, default_lang: 'zh-CN' }))).json, {
    data: { name: { 'zh-CN': name } },
  });
  const korean = { 'accept-language': 'ko-KR' };
  t.hasStrict((await send(formOf({ name: '[1]' }), '', korean)).json, { data: { name: { 'ko-KR': '[1]' } } });
  t.hasStrict((await send(formOf({ name: '12' }))).json, { data: { name: { 'en-US': '12' } } });
});

t.test('an empty file input is ignored', async (t) => {
  const { send } = await serveForm(t, ({ files }) => files);
  t.hasStrict((await send(formOf({ one: new File([], '') }))).json, { data: { one: [] } });
  t.hasStrict((await send(formOf({ one: new File([], 'empty.json') }))).json, {
    data: { one: [{ bytes: 0 }] },
  });
});

t.test('files are deleted when the handler fails', async (t) => {
  const { send, left } = await serveForm(t, () => {
    throw new Error('broken');
  });
  const { status, json } = await send(formOf({ one: blob(100) }));
  t.equal(status, 500);
  t.hasStrict(json, { code: 'INTERNAL' });
  t.strictSame(await left(), []);
});

const FAULTS: [title: string, parts: Parameters<typeof formOf>[0], status: number, errors: object[]][] = [
  ['an unknown field', { nmae: 'x' }, 400, [{ pointer: '/nmae', message: 'is not a field of this form' }]],
  [
    'an unknown file',
    { virus: blob(5) },
    400,
    [{ pointer: '/virus', message: 'is not a file of this form' }],
  ],
  ['a field as a file', { name: blob(5) }, 400, [{ pointer: '/name' }]],
  ['a file as a field', { one: 'text' }, 400, [{ pointer: '/one' }]],
  ['a name with slashes', { 'a/b~c': 'x' }, 400, [{ pointer: '/a~1b~0c' }]],
  ['a doubled field', { note: ['x', 'y'] }, 400, [{ pointer: '/note', message: 'is given twice' }]],
  ['a doubled file', { one: [blob(1), blob(1)] }, 400, [{ pointer: '/one', message: 'is given too often' }]],
  [
    'too many files',
    { few: [blob(1), blob(1), blob(1), blob(1)] },
    422,
    [{ pointer: '/few', code: 'TOO_MANY_MEDIA' }],
  ],
  [
    'a file that is too large',
    { one: blob(1024 * 1024 + 1) },
    413,
    [
      {
        pointer: '/one',
        code: 'IMAGE_TOO_LARGE',
        message: 'The image size exceeds 1 MB',
        params: { size: '1' },
      },
    ],
  ],
  [
    'the second file too large',
    { few: [blob(1), blob(1025)] },
    413,
    [{ pointer: '/few/1', code: 'VIDEO_TOO_LARGE' }],
  ],
  [
    'a field that is too long',
    { note: 'x'.repeat(512 * 1024 + 1) },
    400,
    [{ pointer: '/note', message: 'is too long' }],
  ],
  ['a text over the limit', { name: '{"en-US":"12345678901"}' }, 400, [{ pointer: '/name/en-US' }]],
  [
    'an unknown language',
    { name: '{"fr-FR":"x"}' },
    400,
    [{ pointer: '/name/fr-FR', message: 'is not known here' }],
  ],
  ['a text of another type', { name: '{"en-US":7}' }, 400, [{ pointer: '/name/en-US' }]],
  ['a language that is none', { default_lang: 'fr-FR' }, 400, [{ pointer: '/default_lang' }]],
  ['a number that is none', { number: 'twelve' }, 400, [{ pointer: '/number' }]],
  ['a number with a fraction', { number: '1.5' }, 400, [{ pointer: '/number' }]],
  ['a number that is too small', { number: '0' }, 400, [{ pointer: '/number' }]],
  ['a boolean that is none', { is_on: 'perhaps' }, 400, [{ pointer: '/is_on' }]],
  ['a list that is no JSON', { list: 'a,b' }, 400, [{ pointer: '/list' }]],
  ['a list that is an object', { list: '{}' }, 400, [{ pointer: '/list' }]],
  ['a list that is too long', { list: '[{"key":"a"},{"key":"b"},{"key":"c"}]' }, 400, [{ pointer: '/list' }]],
  ['an item of another type', { list: '[{"key":1}]' }, 400, [{ pointer: '/list/0/key' }]],
  ['an item with an unknown key', { list: '[{"key":"a","kye":"b"}]' }, 400, [{ pointer: '/list/0/kye' }]],
  [
    'a list nested without end',
    { list: `${'['.repeat(200_000)}${']'.repeat(200_000)}` },
    400,
    [{ pointer: '/list/0' }, { pointer: `/list${'/0'.repeat(17)}`, message: 'is nested too deeply' }],
  ],
  ['a prototype as a field', { __proto__x: 'x', constructor: 'x' }, 400, []],
  [
    'several faults at once',
    { nmae: 'x', virus: blob(3), note: ['a', 'b'] },
    400,
    [{ pointer: '/nmae' }, { pointer: '/note' }, { pointer: '/virus' }],
  ],
];

for (const [title, parts, status, errors] of FAULTS) {
  t.test(`rejected: ${title}`, async (t) => {
    let wasAsked = false;
    const { send, left } = await serveForm(t, () => {
      wasAsked = true;
    });
    const answer = await send(formOf(parts));
    t.equal(answer.status, status, JSON.stringify(answer.json));
    const found = [...(answer.json.errors ?? [])].sort((a, b) => a.pointer.localeCompare(b.pointer));
    if (errors.length > 0) {
      t.equal(found.length, errors.length, JSON.stringify(found));
      t.match(found, errors);
    }
    t.notOk(wasAsked);
    t.strictSame(await left(), []);
  });
}

t.test('an invalid query', async (t) => {
  const { send } = await serveForm(t);
  const { status, json } = await send(formOf({ note: 'x' }), '?dry_run=2');
  t.equal(status, 400);
  t.hasStrict(json, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/dry_run' }] });
});
