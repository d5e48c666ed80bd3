import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createAccount } from '../../../server/identity/accounts/account.ts';
import {
  createPasswordHasher,
  limitConcurrency,
  openPasswordStrength,
  type PasswordHasher,
} from '../../../server/identity/accounts/passwords.ts';
import { localMethod } from '../../../server/identity/federation/methods.ts';
import { identityDatabase } from '../../support/identity.ts';

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
  const hash = await passwords.hash('violet-umbrella');
  const time = async (passwordHash: string | null) => {
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const start = performance.now();
      t.notOk(await passwords.verify(passwordHash, 'wrong password'));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[0] ?? 0;
  };
  const known = await time(hash);
  const unknown = await time(null);
  t.ok(unknown > known / 3, `${unknown.toFixed(1)} ms beside ${known.toFixed(1)} ms`);
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
  const { authenticate } = localMethod({ method: 'local' }, { db, passwords: counting });
  t.hasStrict(await authenticate({ account: 'a@example.org', password: 'violet-umbrella' }), {
    nick_name: 'A',
  });
  for (const account of ['a@example.org', 'b@example.org', 'nobody', '\u0000', '']) {
    t.equal(await authenticate({ account, password: 'wrong password' }), undefined);
  }
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
      await new Promise((resolve) => setTimeout(resolve, 5));
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
  t.equal(await judge.weakness('violet-umbrella-tram', violet), undefined, 'enough is left without the name');
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
