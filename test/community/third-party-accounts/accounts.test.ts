import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createEncryptor } from '../../../server/encryption/encryptor.ts';
import { loadKeys } from '../../../server/encryption/keys.ts';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { ask, dataOf } from '../ask.ts';
import { trailOf } from '../trail.ts';

const ICON_FONT = 'manager/space-setting/iconfont';
const STOCK_PHOTO = 'srv/config/pexels';
const SECRET = 'canary-secret-0123456789';
/** What is told of an account where nothing about vendors and services is set. */
const STATE = { test_host: '', has_readers: false };

const community = await testCommunity(t);
const { pool, url, dataDir } = community;
const admin = await community.bearer(1, 2);
const saveIconFont = (body: unknown, headers = admin) =>
  ask(url, ICON_FONT, { method: 'PUT', headers, body });
const saveStockPhoto = (body: unknown, headers = admin) => ask(url, STOCK_PHOTO, { headers, body });

async function setting(name: string) {
  const { rows } = await pool.query('select value, sealed, updated_by from setting where name = $1', [name]);
  return rows[0];
}

t.test('before they are saved both accounts are empty', async (t) => {
  const iconFont = await ask(url, ICON_FONT, { headers: admin });
  t.strictSame(dataOf(iconFont, contract.readIconFont.data), {
    client_id: '',
    client_secret_masked: '',
    ...STATE,
  });
  const stockPhoto = await ask(url, STOCK_PHOTO, { headers: admin });
  t.strictSame(dataOf(stockPhoto, contract.readStockPhoto.data), { api_key_masked: '', ...STATE });
});

t.test('the icon-font account is saved, replaced, and shown masked', async (t) => {
  const saved = await saveIconFont({ client_id: ' my client ', client_secret: ` ${SECRET}\n` });
  const view = { client_id: 'my client', client_secret_masked: '••••••••6789', ...STATE };
  t.strictSame(dataOf(saved, contract.saveIconFont.data), view);
  const read = await ask(url, ICON_FONT, { headers: admin });
  t.strictSame(dataOf(read, contract.readIconFont.data), view);
  t.notMatch(JSON.stringify([saved.json, read.json]), /canary/);

  const replaced = await saveIconFont({ client_id: 'my client', client_secret: 'short' });
  t.strictSame(dataOf(replaced, contract.saveIconFont.data).client_secret_masked, '••••••••');
  t.equal((await setting('icon_font')).updated_by, 1);
});

t.test('the stock-photo account is saved and shown masked', async (t) => {
  const saved = dataOf(await saveStockPhoto({ api_key: SECRET }), contract.saveStockPhoto.data);
  t.strictSame(saved, { api_key_masked: '••••••••6789', ...STATE });
  const read = await ask(url, STOCK_PHOTO, { headers: admin });
  t.strictSame(dataOf(read, contract.readStockPhoto.data), saved);
});

t.test('secrets are stored encrypted, with a key that only the owner may read', async (t) => {
  await saveIconFont({ client_id: 'my client', client_secret: SECRET });
  await saveStockPhoto({ api_key: SECRET });
  const file = join(dataDir, 'account-keys');
  t.equal(statSync(file).mode & 0o777, 0o600);
  const keys = loadKeys({ configured: [], dataDir, fileName: 'account-keys' });
  t.match(readFileSync(file, 'utf8'), /^[\w-]{43}\n$/);
  const encryptor = createEncryptor(keys, 'third-party accounts');
  const seen = new Set<string>();
  for (const name of ['icon_font', 'stock_photo']) {
    const { value, sealed } = await setting(name);
    t.notMatch(JSON.stringify(value) + sealed.toString(), /canary/);
    t.equal(encryptor.decrypt(sealed.toString(), name), SECRET);
    t.equal(encryptor.decrypt(sealed.toString(), 'another'), undefined, 'bound to its name');
    seen.add(sealed.toString());
  }
  t.equal(seen.size, 2, 'the same secret is never encrypted the same twice');
});

t.test('the audit trail has the change without the secret', async (t) => {
  await pool.query('delete from audit_trail');
  await saveIconFont({ client_id: 'my client', client_secret: SECRET });
  await saveStockPhoto({ api_key: SECRET });
  const trail = await trailOf(pool, 'setting');
  t.strictSame(trail, [
    {
      actor_id: 1,
      action: 'icon_font.save',
      target_id: 'icon_font',
      target_name: 'icon_font',
      detail: { client_id: 'my client' },
    },
    {
      actor_id: 1,
      action: 'stock_photo.save',
      target_id: 'stock_photo',
      target_name: 'stock_photo',
      detail: {},
    },
  ]);
});

t.test('rejected without a change', async (t) => {
  await saveIconFont({ client_id: 'kept', client_secret: SECRET });
  await saveStockPhoto({ api_key: SECRET });
  for (const body of [
    { client_id: 'x', client_secret: '' },
    { client_id: '', client_secret: 'x' },
    { client_id: ' ', client_secret: 'x' },
    { client_id: 'a\u0000', client_secret: 'x' },
    { client_id: 'x', client_secret: '   ' },
    { client_id: 'x', client_secret: '••••••••6789' },
    { client_id: 'x', client_secret: 'a b' },
    { client_id: 'x', client_secret: 'a\u0000' },
    { client_id: 'x', client_secret: 'x'.repeat(501) },
    { client_id: 'x'.repeat(201), client_secret: 'x' },
    { client_id: 'x' },
    { client_secret: 'x' },
    {},
    null,
  ]) {
    const answer = await saveIconFont(body);
    t.hasStrict(
      [answer.status, answer.json],
      [400, { code: 'VALIDATION_FAILED' }],
      JSON.stringify(body)?.slice(0, 60),
    );
  }
  for (const body of [
    { api_key: '' },
    { api_key: '••••••••' },
    { api_key: 5 },
    { api_key: 'x'.repeat(501) },
    {},
  ]) {
    t.equal((await saveStockPhoto(body)).status, 400);
  }
  const member = { ...(await community.bearer(7)), 'x-page-path': '/plugins/backstage-index/iconfont' };
  t.equal((await saveIconFont({ client_id: 'x', client_secret: 'x' }, member)).status, 403);
  t.equal((await saveStockPhoto({ api_key: 'x' }, member)).status, 403);
  for (const path of [ICON_FONT, STOCK_PHOTO]) {
    t.equal((await ask(url, path, { headers: member })).status, 403);
    t.equal((await ask(url, path)).status, 401);
  }
  t.hasStrict(await setting('icon_font'), {
    value: { client_id: 'kept', client_secret_masked: '••••••••6789' },
  });
  t.hasStrict(await setting('stock_photo'), { value: { api_key_masked: '••••••••6789' } });
});
