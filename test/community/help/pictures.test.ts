import { pino } from 'pino';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { sweep, UPLOAD_AGE } from '../../../server/community/sweep/sweep.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { picture } from '../send-form.ts';
import { askHelp, dataOf } from './ask-help.ts';

const community = await testCommunity(t);
const { db, url, dataDir } = community;
const admin = await community.bearer(1, 1);
const { add, change, read } = askHelp(url, admin);

async function upload(content: Buffer | undefined, headers: Record<string, string> = admin) {
  const form = new FormData();
  if (content) form.set('picture', new Blob([new Uint8Array(content)]), 'picture.png');
  const response = await fetch(`${url}/api/helpcenter/upload/picture`, {
    method: 'POST',
    headers,
    body: form,
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const kept = async (content: Buffer) => dataOf(await upload(content), contract.uploadHelpPicture.data);
const isServed = async (address: string) => (await fetch(url + address)).status === 200;
const sweepTomorrow = () =>
  sweep({
    db,
    files: openFolderStore(dataDir),
    dataDir,
    now: () => Date.now() + UPLOAD_AGE + 60_000,
    log: pino({ level: 'silent' }),
  });

t.test('a picture is validated, and the response has its address', async (t) => {
  const { url: address, key, width, height } = await kept(await picture(700, 350));
  t.strictSame([address, width, height], [`/api/cmt/media/${key}-640.webp`, 700, 350]);
  t.ok(await isServed(address));
  t.hasStrict(await upload(Buffer.from('not a picture')), { status: 415, json: { code: 'IMAGE_FORMAT' } });
  t.hasStrict(await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), {
    status: 415,
    json: { code: 'IMAGE_FORMAT' },
  });
  t.hasStrict(await upload(Buffer.alloc(10 * 1024 * 1024 + 1)), {
    status: 413,
    json: { code: 'IMAGE_TOO_LARGE' },
  });
  t.hasStrict(await upload(undefined), { status: 400, json: { errors: [{ pointer: '/picture' }] } });
  t.hasStrict(await upload(await picture(10, 10), await community.bearer(7, 0)), { status: 403 });
  t.hasStrict(await upload(await picture(10, 10), {}), { status: 401 });
});

t.test('pictures are kept while an article shows them in any language', async (t) => {
  const used = await kept(await picture(400, 200, '#00aa00'));
  const unused = await kept(await picture(400, 200, '#aa0000'));
  const { id } = await add({
    title: { 'en-US': 'T', 'ru-RU': 'Т' },
    body: { 'en-US': 'x', 'ru-RU': `![Вид](${used.url})` },
    default_lang: 'en-US',
    is_published: true,
  });
  t.hasStrict((await read(id, { 'accept-language': 'ru-RU' })).json.data.blocks, [
    { runs: [{ text: 'Вид', src: used.url, width: 400, height: 200 }] },
  ]);
  await sweepTomorrow();
  t.ok(await isServed(used.url));
  t.notOk(await isServed(unused.url));
  await change({ id, body: { 'en-US': 'x', 'ru-RU': 'y' } });
  await sweepTomorrow();
  t.notOk(await isServed(used.url), 'gone with the last article that showed it');
});
