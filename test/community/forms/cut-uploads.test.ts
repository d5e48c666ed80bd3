import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { serveForm } from './form-app.ts';
import { bodyOf, fieldPart, filePart, type RawCall, rawForm, sendRaw } from './raw-form.ts';

const body = rawForm([
  fieldPart('note', 'something'),
  filePart('one', 'x'.repeat(3000)),
  fieldPart('number', '7'),
  filePart('few', 'y'.repeat(100)),
]);

/** Waits until nothing is left, and tells what is left when that does not come. */
async function emptied(left: () => Promise<string[]>): Promise<string[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const names = await left();
    if (names.length === 0) return names;
    await wait(20);
  }
  return left();
}

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
  t.strictSame(await emptied(left), []);
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
  t.strictSame(await emptied(left), []);
});

t.test('a stalled upload times out', async (t) => {
  const { port, left } = await serveForm(t, () => ({}), { timeouts: { idle: 100, whole: 60_000 } });
  for (const upTo of [0, 10, 60, 150, 300, 2000, body.length - 30]) {
    const answer = bodyOf(await sendRaw(port, { path: '/form', body, upTo }));
    t.equal(answer.status, 408, String(upTo));
    t.hasStrict(answer.json, { code: 'REQUEST_TIMEOUT' });
  }
  t.strictSame(await emptied(left), []);
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
  t.strictSame(await emptied(left), []);
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
  ['a hundred parts', rawForm(Array.from({ length: 100 }, () => fieldPart('x', 'y'))), 413, 'BODY_TOO_LARGE'],
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
