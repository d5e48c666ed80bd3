import { readFile, stat } from 'node:fs/promises';
import t from 'tap';
import { until } from '../../../support/until.ts';
import { formOf, serveForm } from './form-app.ts';
import { bodyOf, fieldPart, filePart, type RawCall, rawForm, sendRaw } from './raw-form.ts';

t.test('fields and files', async (t) => {
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
    t.hasStrict((await send(formOf({ name: '[1]' }), '', korean)).json, {
      data: { name: { 'ko-KR': '[1]' } },
    });
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
    [
      'a doubled file',
      { one: [blob(1), blob(1)] },
      400,
      [{ pointer: '/one', message: 'is given too often' }],
    ],
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
      [{ pointer: '/name/fr-FR', message: 'unknown field' }],
    ],
    ['a text of another type', { name: '{"en-US":7}' }, 400, [{ pointer: '/name/en-US' }]],
    ['a language that is none', { default_lang: 'fr-FR' }, 400, [{ pointer: '/default_lang' }]],
    ['a number that is none', { number: 'twelve' }, 400, [{ pointer: '/number' }]],
    ['a number with a fraction', { number: '1.5' }, 400, [{ pointer: '/number' }]],
    ['a number that is too small', { number: '0' }, 400, [{ pointer: '/number' }]],
    ['a boolean that is none', { is_on: 'perhaps' }, 400, [{ pointer: '/is_on' }]],
    ['a list that is no JSON', { list: 'a,b' }, 400, [{ pointer: '/list' }]],
    ['a list that is an object', { list: '{}' }, 400, [{ pointer: '/list' }]],
    [
      'a list that is too long',
      { list: '[{"key":"a"},{"key":"b"},{"key":"c"}]' },
      400,
      [{ pointer: '/list' }],
    ],
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
});

t.test('uploads that break off', async (t) => {
  const body = rawForm([
    fieldPart('note', 'something'),
    filePart('one', 'x'.repeat(3000)),
    fieldPart('number', '7'),
    filePart('few', 'y'.repeat(100)),
  ]);

  /** Resolves once nothing is left. */
  const emptied = (left: () => Promise<string[]>) => until(async () => (await left()).length === 0);

  t.test('accepts the whole form', async (t) => {
    const { port, left } = await serveForm(t, ({ fields }) => fields);
    const answer = bodyOf(await sendRaw(port, { path: '/form', body }));
    t.hasStrict(answer, { status: 200, json: { data: { note: 'something', number: 7 } } });
    t.strictSame(await left(), []);
  });

  t.test('a connection that is cut at any byte leaves no files', async (t) => {
    let asked = 0;
    const { port, left } = await serveForm(t, () => {
      asked += 1;
      return {};
    });
    const offsets = Array.from({ length: body.length }, (_, offset) => offset).filter(
      (offset) => offset < 400 || offset > body.length - 700 || offset % 97 === 0,
    );
    for (const then of ['cut', 'half-close'] as const) {
      for (const upTo of offsets) await sendRaw(port, { path: '/form', body, upTo, then });
    }
    t.ok(offsets.length > 900, String(offsets.length));
    t.equal(asked, 0);
    await t.resolves(emptied(left));
    t.equal(bodyOf(await sendRaw(port, { path: '/form', body })).status, 200, 'the service still works');
  });

  t.test('an incomplete form is malformed', async (t) => {
    let asked = 0;
    const { port, left } = await serveForm(t, () => {
      asked += 1;
    });
    const last = body.length - 4;
    for (let upTo = 1; upTo < last; upTo += upTo < 500 ? 1 : 53) {
      const answer = bodyOf(await sendRaw(port, { path: '/form', body, upTo, length: upTo }));
      if (answer.status !== 400) t.equal(answer.status, 400, `${upTo} of ${body.length}`);
      t.hasStrict(answer.json, { code: 'MALFORMED_BODY' }, `${upTo} bytes`);
    }
    t.equal(asked, 0);
    await t.resolves(emptied(left));
  });

  t.test('a stalled upload times out', async (t) => {
    const { port, left } = await serveForm(t, () => ({}), { timeouts: { idle: 100, whole: 60_000 } });
    for (const upTo of [0, 10, 60, 150, 300, 2000, body.length - 30]) {
      const answer = bodyOf(await sendRaw(port, { path: '/form', body, upTo }));
      t.equal(answer.status, 408, String(upTo));
      t.hasStrict(answer.json, { code: 'REQUEST_TIMEOUT' });
    }
    await t.resolves(emptied(left));
  });

  t.test('a slow upload times out', async (t) => {
    const { port } = await serveForm(t, () => ({}), { timeouts: { idle: 60_000, whole: 100 } });
    t.equal(bodyOf(await sendRaw(port, { path: '/form', body, upTo: 500 })).status, 408);
  });

  t.test('clients that are still sending can read the error', async (t) => {
    const { port, left } = await serveForm(t);
    const megabytes = Buffer.alloc(20 * 1024 * 1024, 'z');
    const large = Buffer.concat([rawForm([filePart('one', 'x')], ''), megabytes]);
    const calls: Record<string, Partial<RawCall> & { status: number }> = {
      'without access': { headers: [], status: 401 },
      'with a length beyond all limits': { status: 413 },
      'chunked beyond all limits': { length: 'chunked', status: 413 },
      'of another type': { type: 'application/json', status: 415 },
      'without a boundary': { type: 'multipart/form-data', body: large.subarray(0, 4_000_000), status: 400 },
    };
    for (const [title, { status, ...call }] of Object.entries(calls)) {
      const answer = bodyOf(await sendRaw(port, { path: '/form', body: large, ...call }));
      t.equal(answer.status, status, title);
      t.type(answer.json, Object, title);
    }
    await t.resolves(emptied(left));
  });

  t.test('access is checked before the body', async (t) => {
    const { port, left } = await serveForm(t);
    const answer = await sendRaw(port, { path: '/form', body, upTo: 0, headers: [] });
    t.hasStrict(bodyOf(answer), { status: 401, json: { code: 'UNAUTHENTICATED' } });
    t.strictSame(await left(), []);
  });

  const ODD: [title: string, parts: Buffer, status: number, code: string][] = [
    [
      'a part without a name',
      rawForm([{ headers: ['Content-Disposition: form-data'], content: 'x' }]),
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a file without a name',
      rawForm([{ headers: ['Content-Disposition: form-data; filename="x"'], content: 'x' }]),
      400,
      'VALIDATION_FAILED',
    ],
    ['a field called __proto__', rawForm([fieldPart('__proto__', 'x')]), 400, 'VALIDATION_FAILED'],
    ['a file called constructor', rawForm([filePart('constructor', 'x')]), 400, 'VALIDATION_FAILED'],
    [
      'a hundred parts',
      rawForm(Array.from({ length: 100 }, () => fieldPart('x', 'y'))),
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a hundred files',
      rawForm(Array.from({ length: 100 }, () => filePart('few', 'y'))),
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'JSON that is none',
      rawForm([
        {
          headers: ['Content-Disposition: form-data; name="list"', 'Content-Type: application/json'],
          content: '[',
        },
      ]),
      400,
      'MALFORMED_BODY',
    ],
    ['another boundary', Buffer.from('--other\r\n\r\nx\r\n--other--\r\n'), 400, 'MALFORMED_BODY'],
    ['no form at all', Buffer.from('{"name":"x"}'), 400, 'MALFORMED_BODY'],
  ];

  for (const [title, parts, status, code] of ODD) {
    t.test(`rejected: ${title}`, async (t) => {
      const { port, left } = await serveForm(t);
      const answer = bodyOf(await sendRaw(port, { path: '/form', body: parts }));
      t.equal(answer.status, status);
      t.hasStrict(answer.json, { code });
      t.strictSame(await left(), []);
    });
  }

  t.test('endless headers of a part', async (t) => {
    const { port } = await serveForm(t);
    const headers = [`Content-Disposition: form-data; name="note"; x="${'y'.repeat(100_000)}"`];
    const answer = bodyOf(await sendRaw(port, { path: '/form', body: rawForm([{ headers, content: 'x' }]) }));
    t.ok(answer.status < 500, String(answer.status));
  });
});
