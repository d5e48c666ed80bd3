import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { jpeg } from '../../fixtures/media/good.ts';
import { testCommunity } from '../../support/community.ts';
import { bodyOf, sendRaw } from '../forms/raw-form.ts';
import { jsonFile, packageText, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { sent, storedState } = publishing(community);
await sent(pluginForm());
const { port } = new URL(community.url);
const { authorization } = await community.bearer(7);

/** A form as a browser writes it, with its boundary. */
async function written(form: FormData): Promise<{ body: Buffer; type: string }> {
  const response = new Response(form);
  const type = response.headers.get('content-type') ?? '';
  return { body: Buffer.from(await response.arrayBuffer()), type };
}

const icon = new File([new Uint8Array(await jpeg())], 'icon.jpg');
const whole = await written(
  pluginForm({ code: jsonFile(packageText({}, 'cut();\n')), icon, tags: '[]', media: icon }),
);
const send = (upTo: number, then: 'cut' | 'half-close' | 'wait', length = whole.body.length) =>
  sendRaw(Number(port), {
    path: '/api/cmt/plugin',
    headers: [`Authorization: ${authorization}`],
    ...whole,
    upTo,
    then,
    length,
  });

t.test('an upload that breaks off anywhere stores nothing', async (t) => {
  const before = await storedState();
  const { length } = whole.body;
  const offsets = Array.from({ length }, (_, offset) => offset).filter(
    (offset) => offset % Math.ceil(length / 400) === 0 || offset > length - 60,
  );
  for (const offset of offsets) await send(offset, offset % 2 ? 'cut' : 'half-close');
  for (let tries = 0; tries < 100 && (await storedState()).files.length > before.files.length; tries += 1) {
    await wait(20);
  }
  t.ok(offsets.length > 400, String(offsets.length));
  t.strictSame(await storedState(), before);
});

t.test('an upload that ends too early gets an error', async (t) => {
  const before = await storedState();
  for (const share of [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    const upTo = Math.floor(whole.body.length * share);
    t.hasStrict(bodyOf(await send(upTo, 'wait', upTo)), { status: 400, json: { code: 'MALFORMED_BODY' } });
  }
  t.strictSame(await storedState(), before);
});

t.test('the complete upload is accepted', async (t) => {
  t.hasStrict(bodyOf(await send(whole.body.length, 'wait')), {
    status: 200,
    json: { data: { version: '1.0.0' } },
  });
});
