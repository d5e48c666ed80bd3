import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { createAccountService } from '../../../../server/community/curation/third-party-accounts/service.ts';
import { createEncryptor } from '../../../../server/encryption/encryptor.ts';
import { loadKeys } from '../../../../server/encryption/keys.ts';
import { contract } from '../../../../shared/contract.ts';
import { serviceCalls } from '../../../../shared/routes/settings.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';
import { auditLogOf } from '../../audit-log.ts';

t.test('accounts', async (t) => {
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
    const { rows } = await pool.query('select value, sealed, updated_by from setting where name = $1', [
      name,
    ]);
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

  t.test('the audit log has the change without the secret', async (t) => {
    await pool.query('delete from audit_trail');
    await saveIconFont({ client_id: 'my client', client_secret: SECRET });
    await saveStockPhoto({ api_key: SECRET });
    const auditLog = await auditLogOf(pool, 'setting');
    t.strictSame(auditLog, [
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
    t.hasStrict(await setting('icon_font'), {
      value: { client_id: 'kept', client_secret_masked: '••••••••6789' },
    });
    t.hasStrict(await setting('stock_photo'), { value: { api_key_masked: '••••••••6789' } });
  });
});

t.test('service', async (t) => {
  const ICON_FONT = serviceCalls.readIconFontAccount.path;
  const STOCK_PHOTO = serviceCalls.readStockPhotoAccount.path;
  const OLD = 'canary-old-0123456789-0123456789-0123456789';
  const NEW = 'canary-new-0123456789-0123456789-0123456789';
  const SECRET = 'canary-secret-0123456789';

  const community = await testCommunity(t, { publishers: 'members' });
  const { pool, dataDir } = community;
  const admin = await community.bearer(1, 2);
  const clock = { now: Date.now() };

  let logged = '';
  const log = pino(
    { level: 'debug' },
    {
      write: (line: string) => {
        logged += line;
      },
    },
  );
  const lines = (): Record<string, unknown>[] =>
    logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  const tokens = Object.entries({ 'design-tool': OLD, 'design-tool-2': NEW }).map(([name, secret]) => ({
    name,
    hash: createHash('sha256').update(secret).digest(),
  }));
  const service = createAccountService({ pool, log, perf: { now: () => clock.now }, dataDir, tokens });
  t.teardown(() => service.close());
  const url = await service.listen({ host: '127.0.0.1', port: 0 });

  async function read(path: string, authorization?: string) {
    const response = await fetch(url + path, {
      headers: authorization === undefined ? {} : { authorization },
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  }

  t.beforeEach(() => {
    logged = '';
    clock.now += 60_001;
  });

  t.test('before an account is saved there is none', async (t) => {
    for (const { path, data } of Object.values(serviceCalls)) {
      t.strictSame(dataOf(await read(path, `Bearer ${NEW}`), data), { account: null });
    }
  });

  t.test('a service reads both accounts with either token, and the log names which', async (t) => {
    await ask(community.url, 'manager/space-setting/iconfont', {
      method: 'PUT',
      headers: admin,
      body: { client_id: 'my client', client_secret: SECRET },
    });
    await ask(community.url, 'srv/config/pexels', { headers: admin, body: { api_key: `${SECRET}-2` } });
    logged = '';
    const { rows } = await pool.query('select name, updated_at from setting');
    const savedAt = (name: string) => rows.find((row) => row.name === name).updated_at.toISOString();
    const iconFont = { client_id: 'my client', client_secret: SECRET, updated_at: savedAt('icon_font') };
    const stockPhoto = { api_key: `${SECRET}-2`, updated_at: savedAt('stock_photo') };
    for (const secret of [OLD, NEW]) {
      const first = await read(ICON_FONT, `Bearer ${secret}`);
      t.strictSame(first.json, { code: 0, message: 'ok', data: { account: iconFont } });
      t.equal(first.headers.get('cache-control'), 'no-store');
      const second = await read(STOCK_PHOTO, `bearer ${secret}`);
      t.strictSame(second.json, { code: 0, message: 'ok', data: { account: stockPhoto } });
    }
    t.hasStrict(
      lines().filter(({ event }) => event === 'account_read'),
      [
        { service: 'design-tool', account: 'icon_font', found: true },
        { service: 'design-tool', account: 'stock_photo', found: true },
        { service: 'design-tool-2', account: 'icon_font', found: true },
        { service: 'design-tool-2', account: 'stock_photo', found: true },
      ],
    );
    t.notMatch(logged, 'canary');
  });

  t.test('nobody else reads them: no user, no token of another kind', async (t) => {
    const made = await ask(community.url, 'plugin/token', {
      headers: await community.bearer(7, 0),
      body: { name: 'CI' },
    });
    const publishToken: unknown = Object(Object(made.json).data).secret;
    const refused: [string, string | undefined, string][] = [
      ['nobody', undefined, 'UNAUTHENTICATED'],
      ['a member', (await community.bearer(7, 0)).authorization, 'TOKEN_INVALID'],
      ['an administrator', admin.authorization, 'TOKEN_INVALID'],
      ['a super administrator', (await community.bearer(2, 1)).authorization, 'TOKEN_INVALID'],
      ['a publish token', `Bearer ${publishToken}`, 'TOKEN_INVALID'],
      ['a name of a service', 'Bearer design-tool', 'TOKEN_INVALID'],
      ['a hash', `Bearer ${createHash('sha256').update(NEW).digest('hex')}`, 'TOKEN_INVALID'],
      ['a part', `Bearer ${NEW.slice(0, -1)}`, 'TOKEN_INVALID'],
      ['more than it', `Bearer ${NEW}0`, 'TOKEN_INVALID'],
      ['another case', `Bearer ${NEW.toUpperCase()}`, 'TOKEN_INVALID'],
      ['two', `Bearer ${NEW} ${OLD}`, 'TOKEN_INVALID'],
      ['another scheme', `Basic ${Buffer.from(`design-tool:${NEW}`).toString('base64')}`, 'TOKEN_INVALID'],
      ['no scheme', NEW, 'TOKEN_INVALID'],
    ];
    for (const path of [ICON_FONT, STOCK_PHOTO]) {
      for (const [who, authorization, code] of refused) {
        clock.now += 60_001;
        const answer = await read(path, authorization);
        t.hasStrict([answer.status, answer.json], [401, { code }], `${who}: ${path}`);
        t.match(answer.headers.get('www-authenticate'), /^Bearer/);
        t.notMatch(JSON.stringify(answer.json), 'canary');
      }
      clock.now += 60_001;
      t.equal((await read(`${path}?access_token=${NEW}&token=${NEW}`)).status, 401, 'not in an address');
    }
    t.notMatch(logged, 'canary');
  });

  t.test('wrong tokens of one address are limited; a right one passes beside them', async (t) => {
    for (let time = 1; time <= 10; time += 1) {
      t.equal((await read(ICON_FONT, `Bearer wrong-${time}`)).status, 401, String(time));
    }
    const limited = await read(STOCK_PHOTO, 'Bearer wrong-11');
    t.hasStrict([limited.status, limited.json], [429, { code: 'TOO_MANY_REQUESTS' }]);
    t.equal(limited.headers.get('retry-after'), '60');
    t.equal((await read(ICON_FONT)).status, 429);
    t.equal((await read(ICON_FONT, `Bearer ${NEW}`)).status, 200);
    t.equal(lines().filter(({ event }) => event === 'service_token_refused').length, 10);
    t.hasStrict(lines()[0], { level: 40, address: '127.0.0.1' });
    t.notMatch(logged, 'wrong');
    clock.now += 59_999;
    t.equal((await read(ICON_FONT, 'Bearer wrong-12')).status, 429);
    clock.now += 2;
    t.equal((await read(ICON_FONT, 'Bearer wrong-13')).status, 401);
  });

  t.test('the service that gateways know has no such calls, whoever asks', async (t) => {
    const callers = [undefined, `Bearer ${NEW}`, admin.authorization];
    for (const path of [ICON_FONT, STOCK_PHOTO, `/api/cmt${ICON_FONT}`, `/api/helpcenter${ICON_FONT}`]) {
      for (const authorization of callers) {
        const response = await fetch(community.url + path, {
          headers: authorization === undefined ? {} : { authorization },
        });
        t.equal(response.status, 404, path);
        t.strictSame(await response.json(), { code: 'NOT_FOUND', message: 'Nothing was found here.' });
      }
    }
  });

  t.test('there is nothing else on its port, and nothing is written', async (t) => {
    for (const path of ['/', '/api/cmt/plugin/list', '/service', `${ICON_FONT}/`, '/service/account/other']) {
      t.equal((await read(path, `Bearer ${NEW}`)).status, 404, path);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await fetch(url + ICON_FONT, { method, headers: { authorization: `Bearer ${NEW}` } });
      t.equal(response.status, 404, method);
    }
  });

  t.test('an account with a missing key is unavailable, not wrong', async (t) => {
    const [key] = loadKeys({ configured: [], dataDir, fileName: 'account-keys' });
    await rm(join(dataDir, 'account-keys'));
    const other = createAccountService({ pool, log, perf: { now: () => clock.now }, dataDir, tokens });
    t.teardown(() => other.close());
    const response = await other.inject({ url: ICON_FONT, headers: { authorization: `Bearer ${NEW}` } });
    t.hasStrict([response.statusCode, response.json()], [503, { code: 'SERVICE_UNAVAILABLE' }]);
    t.hasStrict(lines()[0], {
      err: {
        message:
          'icon_font was encrypted with a key that is neither in ACCOUNT_KEYS nor in DATA_DIR/account-keys',
      },
    });
    const keys = key ? [Buffer.alloc(32, 1), key] : [];
    const configured = createAccountService({ pool, log, keys, dataDir, tokens });
    t.teardown(() => configured.close());
    const opened = await configured.inject({ url: ICON_FONT, headers: { authorization: `Bearer ${NEW}` } });
    t.hasStrict([opened.statusCode, opened.json()], [200, { data: { account: { client_secret: SECRET } } }]);
  });
});
