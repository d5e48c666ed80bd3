import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';
import { picture, sendForm } from '../../send-form.ts';

const PATH = 'manager/qr-code';
const community = await testCommunity(t);
const { pool, url } = community;
const admin = await community.bearer(1, 2);
const code = await picture(400, 400);

const save = (parts: Record<string, unknown>, headers = admin) => sendForm(url, PATH, headers, parts);
const saved = async (parts: Record<string, unknown>) =>
  dataOf(await save({ picture: code, ...parts }), contract.saveQrCode.data);
const list = async () =>
  dataOf(await ask(url, `${PATH}/list`, { headers: admin }), contract.listQrCodes.data).qr_code_list;
const contact = async () => dataOf(await ask(url, 'qr-code/contact'), contract.readContact.data).qr_code;
const remove = (id: unknown, headers = admin) => ask(url, PATH, { method: 'DELETE', headers, body: { id } });

t.afterEach(() => pool.query('delete from qr_code; delete from audit_trail'));

t.test('the first QR code is the contact, which visitors see', async (t) => {
  t.equal(await contact(), null);
  const first = await saved({ name: ' Feedback group ' });
  t.hasStrict(first, { name: 'Feedback group', is_contact: true });
  t.strictSame(await contact(), first);
  t.match(first.img_url, /^\/api\/cmt\/media\/[0-9a-f]{32}-320\.webp$/);
  const file = await fetch(url + first.img_url);
  t.hasStrict([file.status, file.headers.get('content-type')], [200, 'image/webp']);
  t.hasStrict(await saved({ name: 'Sales' }), { is_contact: false });
  t.strictSame((await contact())?.id, first.id);
});

t.test('concurrent changes result in one contact', async (t) => {
  const first = await saved({ name: 'First' });
  const second = await saved({ name: 'Second', is_contact: true });
  t.equal((await contact())?.id, second.id);
  await saved({ id: first.id, is_contact: true, picture: undefined });
  t.equal((await contact())?.id, first.id);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => save({ id: n % 2 ? first.id : second.id, is_contact: true })),
  );
  t.ok(answers.every(({ status }) => status === 200));
  t.equal((await list()).filter((row) => row.is_contact).length, 1);
  const holder = (await contact())?.id;
  t.hasStrict(await saved({ id: holder, is_contact: false, picture: undefined }), { is_contact: false });
  t.equal(await contact(), null);
});

t.test('omitted fields stay', async (t) => {
  const first = await saved({ name: 'First' });
  const renamed = await saved({ id: first.id, name: 'Renamed', picture: undefined });
  t.strictSame(renamed, { ...first, name: 'Renamed' });
  const other = await saved({ id: first.id, picture: await picture(64, 64, '#000000') });
  t.hasStrict(other, { name: 'Renamed', is_contact: true });
  t.not(other.img_url, first.img_url);
  t.strictSame(
    (await auditLogOf(pool, 'qr_code')).map(({ action, target_name }) => [action, target_name]),
    [
      ['qr_code.add', 'First'],
      ['qr_code.change', 'Renamed'],
      ['qr_code.change', 'Renamed'],
    ],
  );
});

t.test('an external picture is shown until it is replaced', async (t) => {
  await pool.query(`insert into qr_code (name, img_url) values ('Old', 'https://example.org/qr.png')`);
  const [old] = await list();
  t.hasStrict(old, { name: 'Old', img_url: 'https://example.org/qr.png', is_contact: false });
  t.match((await saved({ id: old?.id })).img_url, /^\/api\/cmt\/media\//);
});

t.test('deleting the contact leaves no contact', async (t) => {
  const { id } = await saved({ name: 'First' });
  await saved({ name: 'Second' });
  dataOf(await remove(id), contract.deleteQrCode.data);
  t.equal(await contact(), null);
  t.hasStrict(await list(), [{ name: 'Second', is_contact: false }]);
  t.hasStrict((await remove(id)).json, { code: 'NOT_FOUND' });
  t.hasStrict((await auditLogOf(pool, 'qr_code')).at(-1), { action: 'qr_code.delete', target_name: 'First' });
});

const REFUSED: [what: string, parts: Record<string, unknown>, status: number, code: string][] = [
  ['no name', { picture: code }, 400, 'VALIDATION_FAILED'],
  ['a name of spaces', { name: '  ', picture: code }, 400, 'VALIDATION_FAILED'],
  ['a name with control characters', { name: 'a\u0007', picture: code }, 400, 'VALIDATION_FAILED'],
  ['a name too long', { name: 'x'.repeat(65), picture: code }, 400, 'VALIDATION_FAILED'],
  ['no picture', { name: 'x' }, 400, 'VALIDATION_FAILED'],
  ['a picture that is none', { name: 'x', picture: Buffer.from('GIF89a') }, 422, 'IMAGE_DAMAGED'],
  ['one that is not there', { id: 4711, name: 'x', picture: code }, 404, 'NOT_FOUND'],
  ['a contact that is neither', { name: 'x', picture: code, is_contact: 'maybe' }, 400, 'VALIDATION_FAILED'],
];

for (const [what, parts, status, errorCode] of REFUSED) {
  t.test(`rejected: ${what}`, async (t) => {
    const answer = await save(parts);
    t.hasStrict([answer.status, answer.json], [status, { code: errorCode }]);
    t.strictSame(await list(), []);
  });
}

t.test('rejected: a taken name', async (t) => {
  const { id } = await saved({ name: 'Taken' });
  const twice = await save({ name: 'Taken', picture: code });
  t.hasStrict(
    [twice.status, twice.json],
    [400, { code: 'VALIDATION_FAILED', errors: [{ pointer: '/name' }] }],
  );
  t.equal((await save({ id, name: 'Taken' })).status, 200, 'its own name is not');
  t.hasStrict(await list(), [{ id, name: 'Taken' }]);
});
