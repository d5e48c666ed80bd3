import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as argon2 from '@node-rs/argon2';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import t from 'tap';
import { isStartError } from '../../../server/database/errors.ts';
import { createAccount } from '../../../server/identity/accounts/account.ts';
import {
  createPasswordHasher,
  limitConcurrency,
  openPasswordStrength,
  type PasswordHasher,
} from '../../../server/identity/accounts/passwords.ts';
import { createIdentity } from '../../../server/identity/app.ts';
import { ensureFirstAdmin, prepareIdentity } from '../../../server/identity/prepare.ts';
import { localMethod } from '../../../server/identity/sign-in/federation/methods.ts';
import {
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  exchange,
  identityDatabase,
  KEY_ROTATION,
  logToMemory,
  PUBLIC_URL,
  testFolder,
} from '../../support/identity.ts';
import { SERVICE_KEYS } from '../../support/service-keys.ts';
import { until } from '../../support/until.ts';

t.test('first administrator', async (t) => {
  type Given = { admin?: { email?: string; password?: string }; terminal?: boolean; dataDir?: string };
  type Teardown = { teardown(handler: () => Promise<void>): void };

  async function setUp(t: Teardown) {
    const { pool, db } = await identityDatabase(t);
    const { log, logged } = logToMemory();
    const dataDir = join(await testFolder(t), 'data');
    const prepare = (given: Given = {}) =>
      prepareIdentity({
        pool,
        log,
        now: Date.now,
        encryptor: ENCRYPTOR,
        keyRotation: KEY_ROTATION,
        dataDir,
        admin: {},
        terminal: false,
        ...given,
      });
    const openApp = async () => {
      const given = { pool, log, now: Date.now, encryptor: ENCRYPTOR, keyRotation: KEY_ROTATION };
      const app = await createIdentity({ ...given, serviceKeys: SERVICE_KEYS, publicUrl: PUBLIC_URL });
      t.teardown(() => app.close());
      return app;
    };
    const admins = () => db.selectFrom('account').selectAll().where('role', '=', 1).execute();
    return { pool, db, log, logged, dataDir, prepare, openApp, admins };
  }

  t.test(
    'without settings: writes a random password to a file with mode 0600 and logs only its path',
    async (t) => {
      const { logged, dataDir, prepare, openApp } = await setUp(t);
      const { firstAdmin } = await prepare();
      const file = join(dataDir, 'admin-password.txt');
      t.strictSame(firstAdmin, { email: 'admin@localhost', passwordFile: file });
      t.equal((await stat(file)).mode & 0o777, 0o600);
      t.equal((await stat(dataDir)).mode & 0o777, 0o700);
      const text = await readFile(file, 'utf8');
      t.match(text, /^[a-z2-9]{20}\n$/);
      t.ok(logged().includes(file));
      t.notOk(logged().includes(text.trim()));

      const app = await openApp();
      for (const account of ['admin', 'admin@localhost']) {
        const answer = await ask(app, 'POST /user/page/sign_in', {
          body: { account, password: text.trim(), redirect_uri: CALLBACK },
        });
        t.equal(answer.status, 200, account);
        t.equal(decodeJwt((await exchange(app, codeIn(answer))).access).role, 1);
      }
    },
  );

  t.test('a second start creates nothing and keeps the file', async (t) => {
    const { dataDir, prepare, admins } = await setUp(t);
    await prepare();
    const file = join(dataDir, 'admin-password.txt');
    await writeFile(file, 'kept');
    t.strictSame(await prepare({ terminal: true }), {});
    t.strictSame(
      await prepare({ admin: { email: 'other@example.org', password: 'violet-umbrella-tram' } }),
      {},
    );
    t.equal(await readFile(file, 'utf8'), 'kept');
    t.equal((await admins()).length, 1);
  });

  t.test('in a terminal the generated password is returned', async (t) => {
    const { prepare } = await setUp(t);
    const { firstAdmin } = await prepare({ terminal: true, admin: { email: 'boss@example.org' } });
    t.equal(firstAdmin?.email, 'boss@example.org');
    t.equal(`${firstAdmin?.password}\n`, await readFile(firstAdmin?.passwordFile ?? '', 'utf8'));
  });

  t.test('a configured address counts as verified, the default address does not', async (t) => {
    for (const email of ['boss@example.org', undefined]) {
      const { prepare, admins } = await setUp(t);
      await prepare({ admin: email === undefined ? {} : { email } });
      const [admin] = await admins();
      t.equal(admin?.email_verified_at instanceof Date, email !== undefined, email ?? 'default address');
    }
  });

  t.test('with ADMIN_EMAIL and ADMIN_PASSWORD no file is written and nothing is shown', async (t) => {
    const { dataDir, prepare, admins, logged } = await setUp(t);
    const admin = { email: 'Boss@example.org', password: 'violet-umbrella-tram' };
    t.strictSame(await prepare({ admin, terminal: true }), { firstAdmin: { email: 'Boss@example.org' } });
    await t.rejects(stat(join(dataDir, 'admin-password.txt')), { code: 'ENOENT' });
    t.hasStrict(await admins(), [{ email_key: 'boss@example.org', user_name: 'admin' }]);
    t.notOk(logged().includes(admin.password));
  });

  t.test('replaces an existing file with another mode', async (t) => {
    const { dataDir, prepare } = await setUp(t);
    await mkdir(dataDir);
    const file = join(dataDir, 'admin-password.txt');
    await writeFile(file, 'old', { mode: 0o644 });
    await prepare();
    t.equal((await stat(file)).mode & 0o777, 0o600);
    t.match(await readFile(file, 'utf8'), /^[a-z2-9]{20}\n$/);
  });

  t.test('concurrent instances create one administrator, whose password is in the file', async (t) => {
    const { dataDir, prepare, openApp, admins } = await setUp(t);
    const results = await Promise.all(Array.from({ length: 5 }, () => prepare({ terminal: true })));
    const created = results.flatMap(({ firstAdmin }) => (firstAdmin ? [firstAdmin] : []));
    t.equal(created.length, 1);
    t.equal((await admins()).length, 1);
    const password = (await readFile(join(dataDir, 'admin-password.txt'), 'utf8')).trim();
    t.equal(created[0]?.password, password);
    const app = await openApp();
    const body = { account: 'admin', password, redirect_uri: CALLBACK };
    t.equal((await ask(app, 'POST /user/page/sign_in', { body })).status, 200);
  });

  t.test('other instances wait while the password is written, and find the account', async (t) => {
    const { db } = await identityDatabase(t);
    const waiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)).rows.length;
    const storedPasswords: string[] = [];
    const storePassword = async (password: string) => {
      storedPasswords.push(password);
      await until(async () => (await waiting()) === 3);
    };
    const context = { db, random: randomBytes, now: Date.now, storePassword };
    const results = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin(context, {})));
    t.strictSame(
      results.flatMap((admin) => admin?.password ?? []),
      storedPasswords,
    );
    t.equal(storedPasswords.length, 1);
  });

  t.test('invalid settings fail the start, and nothing is stored', async (t) => {
    const { prepare, admins } = await setUp(t);
    const cases: [{ email?: string; password?: string }, RegExp][] = [
      [{ email: 'boss@example.org', password: 'short' }, /^ADMIN_PASSWORD has too few characters/],
      [{ email: 'bossman@example.org', password: 'bossman-2024-x' }, /^ADMIN_PASSWORD is built from a name/],
      [{ password: 'password123' }, /^ADMIN_PASSWORD is among the passwords/],
      [{ email: 'boss', password: 'violet-umbrella-tram' }, /^ADMIN_EMAIL must be an e-mail address/],
    ];
    for (const [admin, message] of cases) {
      const error = await prepare({ admin }).catch((thrown: unknown) => thrown);
      t.ok(isStartError(error), JSON.stringify(admin));
      t.match(error, { message });
      t.notOk(String(error).includes(admin.password ?? '\0'), 'the password is not repeated');
    }
    t.equal((await admins()).length, 0);
  });

  t.test('an unwritable data folder fails the start, and no account is created', async (t) => {
    const { prepare, admins, dataDir } = await setUp(t);
    await writeFile(dataDir, 'a file where the folder should be');
    const error = await prepare().catch((thrown: unknown) => thrown);
    t.ok(isStartError(error));
    t.match(error, { message: /could not be written to .*admin-password\.txt/ });
    t.equal((await admins()).length, 0);
  });

  t.test('an existing account with the address does not become administrator', async (t) => {
    const { db, prepare, admins } = await setUp(t);
    await prepare();
    await db.updateTable('account').set({ role: 0 }).execute();
    const error = await prepare().catch((thrown: unknown) => thrown);
    t.ok(isStartError(error));
    t.match(error, { message: /Set ADMIN_EMAIL to another address/ });
    t.equal((await prepare({ admin: { email: 'new@example.org' } })).firstAdmin?.email, 'new@example.org');
    t.match(await admins(), [{ email: 'new@example.org', user_name: /^user_/ }]);
  });
});

t.test('passwords', async (t) => {
  const passwords = await createPasswordHasher(randomBytes);

  t.test('argon2id with the parameters of OWASP, salted', async (t) => {
    const hashes = [await passwords.hash('violet-umbrella'), await passwords.hash('violet-umbrella')];
    for (const hash of hashes) {
      t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
      t.ok(await passwords.verify(hash, 'violet-umbrella'));
      t.notOk(await passwords.verify(hash, 'violet-umbrellA'));
    }
    t.not(hashes[0], hashes[1]);
  });

  t.test('without a hash the same work is done', async (t) => {
    const worked: string[] = [];
    const watched = await createPasswordHasher(randomBytes, {
      hash: argon2.hash,
      verify: (hash, password) => {
        worked.push(String(hash));
        return argon2.verify(hash, password);
      },
    });
    const known = await watched.hash('violet-umbrella');
    t.notOk(await watched.verify(known, 'wrong password'));
    t.notOk(await watched.verify(null, 'wrong password'));
    t.equal(worked.length, 2);
    t.equal(worked[0], known);
    t.match(worked[1], /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/, 'as long as any other');
  });

  t.test('every sign-in verifies exactly one hash, for any account', async (t) => {
    const { db } = await identityDatabase(t);
    const context = { random: randomBytes, now: Date.now };
    const person = { email: 'a@example.org', email_key: 'a@example.org', nick_name: 'A' };
    await createAccount(db, context, { ...person, password_hash: await passwords.hash('violet-umbrella') });
    const verified: (string | null)[] = [];
    const counting: PasswordHasher = {
      hash: passwords.hash,
      verify: (hash, password) => {
        verified.push(hash);
        return passwords.verify(hash, password);
      },
    };
    let wrong = 0;
    const onWrong = (): void => {
      wrong += 1;
    };
    const { authenticate } = localMethod({ db, passwords: counting });
    t.hasStrict(await authenticate({ account: 'a@example.org', password: 'violet-umbrella' }, onWrong), {
      nick_name: 'A',
    });
    for (const account of ['a@example.org', 'b@example.org', 'nobody', '\u0000', '']) {
      t.equal(await authenticate({ account, password: 'wrong password' }, onWrong), undefined);
    }
    t.equal(wrong, 1, 'the guesses at accounts with a password');
    t.equal(verified.length, 6);
    t.equal(verified.filter((hash) => hash === null).length, 4);
  });

  t.test('limits running and waiting tasks and rejects the rest', async (t) => {
    const limited = limitConcurrency({ running: 2, waiting: 3 });
    const order: number[] = [];
    let active = 0;
    let most = 0;
    const tasks = Array.from({ length: 7 }, (_, index) =>
      limited(async () => {
        active += 1;
        most = Math.max(most, active);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(index);
        active -= 1;
        if (index === 1) throw new Error('one fails');
        return index;
      }),
    );
    const results = await Promise.allSettled(tasks);
    t.strictSame(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    t.hasStrict(results[5], {
      reason: { code: 'SERVICE_UNAVAILABLE', statusCode: 503, headers: { 'retry-after': '1' } },
    });
    t.equal(most, 2);
    t.strictSame(order, [0, 1, 2, 3, 4]);
    t.equal(await limited(async () => 'free again'), 'free again');
  });

  t.test('passwords from public names of the user are rejected', async (t) => {
    const judge = openPasswordStrength();
    t.teardown(() => judge.close());
    const violet = { email: 'Violet.Lee@example.org', nick_name: 'Anna Karenina' };
    t.equal(await judge.weakness('violet-umbrella', violet), 'PASSWORD_NAME');
    t.equal(await judge.weakness('anna+KARENINA!!', violet), 'PASSWORD_NAME');
    t.equal(
      await judge.weakness('violet-umbrella-tram', violet),
      undefined,
      'enough is left without the name',
    );
    t.equal(await judge.weakness('violet-umbrella', { email: 'v@example.org', nick_name: 'Vi' }), undefined);
  });

  t.test('the longest password is checked outside the main thread', async (t) => {
    const judge = openPasswordStrength();
    t.teardown(() => judge.close());
    const nobody = { email: '', nick_name: '' };
    t.equal(await judge.weakness('p4$$w0rd1'.repeat(22), nobody), 'PASSWORD_PATTERN');
    t.equal(await judge.weakness('aB3$xQ9k!m'.repeat(20), nobody), undefined);
    const all = await Promise.allSettled(
      Array.from({ length: 70 }, () => judge.weakness('ten-letters', nobody)),
    );
    const refused = all.filter(({ status }) => status === 'rejected');
    t.equal(refused.length, 5, 'one is judged, 64 wait');
    t.hasStrict(refused[0], { reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});
