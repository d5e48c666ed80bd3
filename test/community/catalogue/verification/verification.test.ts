import { sql } from 'kysely';
import t from 'tap';
import { recheckDomains } from '../../../../server/community/catalogue/verification/recheck.ts';
import { contract } from '../../../../shared/contract.ts';
import type { ProofResult } from '../../../../shared/entities/verification.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

const OTHER = 101;
const ADMIN = 1;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T12:00:00Z');

t.test('verified publishers', async (t) => {
  let now = START;
  /** What domains say, by their name; nothing where they are missing. */
  const says = new Map<string, ProofResult['result']>();
  const tokens: string[] = [];
  const prove = async (domain: string, token: string) => {
    tokens.push(token);
    return {
      dns: { result: says.get(domain) ?? 'missing' },
      well_known: { result: says.get(`https ${domain}`) ?? 'unreachable' },
    } as const;
  };
  const { url, db, bearer, issuer } = await testCommunity(t, {
    publishers: 'members',
    prove,
    now: () => now,
  });
  const call = async (method: string, path: string, userId: number, body?: object) =>
    ask(url, `publisher/verification${path}`, {
      method,
      headers: await bearer(userId),
      ...(body && { body }),
    });
  const own = async (userId: number) =>
    dataOf(await call('GET', '', userId), contract.readOwnVerification.data);
  const name = (userId: number, domain: string) => call('PUT', '', userId, { domain });
  const check = async (userId: number) =>
    dataOf(await call('POST', '/check', userId, {}), contract.checkOwnDomain.data);
  const remove = (userId: number) => call('DELETE', '', userId, {});
  const recheck = () => recheckDomains({ db, prove, now: () => now });
  const notices = async (userId: number) =>
    dataOf(
      await ask(url, 'notice/list', { headers: await bearer(userId) }),
      contract.listNotices.data,
    ).notice_list.map(({ kind, data }) => [kind, data]);
  const decide = async (body: object, role: 0 | 2 = 2) =>
    ask(url, 'manager/publisher/verified', { method: 'PUT', headers: await bearer(ADMIN, role), body });
  const mark = async () => {
    const { plugin_list } = dataOf(await ask(url, 'plugin/list'), contract.listPlugins.data);
    return plugin_list.find(({ plugin_key }) => plugin_key === 'first-one')?.publisher.verified;
  };

  await addPlugin(db, { key: 'first-one' });

  t.test('a publisher proves a domain by themselves', async (t) => {
    t.strictSame(await own(PUBLISHER_ID), { verified: null, domain: null, decision: null });
    const { status, json } = await call('POST', '/check', PUBLISHER_ID, {});
    t.strictSame([status, json], [404, { code: 'NOT_FOUND', message: 'Nothing was found here.' }]);
    t.equal((await name(PUBLISHER_ID, 'https://Example.com/')).status, 200);
    const { domain } = await own(PUBLISHER_ID);
    t.match(domain, { domain: 'example.com', verified_at: null, way: null, ends_at: null });
    t.match(domain?.token, /^[0-9a-f]{32}$/);

    const missing = await check(PUBLISHER_ID);
    t.match(missing, { dns: { result: 'missing' }, well_known: { result: 'unreachable' } });
    t.equal(missing.verification.verified, null);
    t.equal(await mark(), undefined);

    says.set('example.com', 'proved');
    const { verification } = await check(PUBLISHER_ID);
    t.match(verification, {
      verified: 'example.com',
      domain: { verified_at: new Date(START).toISOString(), way: 'dns', ends_at: null },
    });
    t.ok(tokens.every((token) => token === domain?.token));
    t.equal(await mark(), 'example.com');
    t.equal((await name(PUBLISHER_ID, 'example.com')).status, 200);
    t.equal((await own(PUBLISHER_ID)).verified, 'example.com', 'the same domain again changes nothing');
  });

  t.test('a suffix that many share is nobody’s domain', async (t) => {
    for (const typed of ['github.io', 'co.uk', '10.0.0.1', 'localhost']) {
      const { status, json } = await name(OTHER, typed);
      t.strictSame(
        [status, json],
        [
          422,
          {
            code: 'DOMAIN_REFUSED',
            message: 'Enter a domain of your own, such as example.com, and not a suffix that many share.',
          },
        ],
        typed,
      );
    }
    t.equal((await own(OTHER)).domain, null);
  });

  t.test('the proof is looked for again every day', async (t) => {
    now = START + DAY - 1;
    t.equal(await recheck(), 0);
    now = START + DAY;
    t.equal(await recheck(), 1);
    t.equal(await recheck(), 0, 'the next time is in a day');
    t.strictSame(await notices(PUBLISHER_ID), []);
  });

  t.test('two instances never check the same domain, and one that stops leaves it to others', async (t) => {
    now = START + 2 * DAY;
    const stopped = recheckDomains({ db, prove: () => Promise.reject(new Error('stopped')), now: () => now });
    await t.rejects(stopped, { message: 'stopped' });
    t.equal(await recheck(), 0);
    now += HOUR / 6;
    t.equal(await recheck(), 1);
  });

  t.test('a missing proof is told, and after seven days the mark falls off', async (t) => {
    says.set('example.com', 'missing');
    const first = now + DAY;
    now = first;
    t.equal(await recheck(), 1);
    const ends_at = new Date(first + 7 * DAY).toISOString();
    const failing = ['verification_failing', { domain: 'example.com', ends_at }];
    t.strictSame(await notices(PUBLISHER_ID), [failing]);
    t.match(await own(PUBLISHER_ID), { verified: 'example.com', domain: { ends_at } });

    now = first + HOUR;
    t.equal(await recheck(), 1, 'it is looked for every hour');
    t.strictSame(await notices(PUBLISHER_ID), [failing], 'and told once');

    now = first + 2 * HOUR;
    says.set('example.com', 'proved');
    await recheck();
    t.match(await own(PUBLISHER_ID), { verified: 'example.com', domain: { ends_at: null } });

    const again = now + DAY;
    says.set('example.com', 'other_token');
    now = again;
    await recheck();
    now = again + 7 * DAY - 1;
    await recheck();
    t.equal(await mark(), 'example.com');
    now = again + 7 * DAY + HOUR;
    await recheck();
    t.equal(await mark(), undefined);
    t.match(await own(PUBLISHER_ID), { verified: null, domain: { verified_at: null, ends_at: null } });
    t.strictSame((await notices(PUBLISHER_ID))[0], ['verification_ended', { domain: 'example.com' }]);
    now += DAY;
    t.equal(await recheck(), 0);
    says.set('example.com', 'proved');
    t.equal((await check(PUBLISHER_ID)).verification.verified, 'example.com', 'and can be proved again');
  });

  t.test('a proof that cannot be looked for is missing after a day only', async (t) => {
    const told = (await notices(PUBLISHER_ID)).length;
    const first = now + DAY;
    says.set('example.com', 'unreachable');
    says.set('https example.com', 'missing');
    for (const later of [0, HOUR, DAY - 1]) {
      now = first + later;
      t.equal(await recheck(), 1);
    }
    t.equal((await notices(PUBLISHER_ID)).length, told);
    t.match(await own(PUBLISHER_ID), { verified: 'example.com', domain: { ends_at: null } });
    now = first + DAY + HOUR;
    await recheck();
    const ends_at = new Date(now + 7 * DAY).toISOString();
    t.strictSame((await notices(PUBLISHER_ID))[0], [
      'verification_failing',
      { domain: 'example.com', ends_at },
    ]);
    now += 7 * DAY - 1;
    await recheck();
    t.equal(await mark(), 'example.com');
    now += HOUR;
    await recheck();
    t.equal(await mark(), undefined, 'the days of grace go on without an answer');
    says.set('example.com', 'proved');
    says.delete('https example.com');
    t.equal((await check(PUBLISHER_ID)).verification.verified, 'example.com');
  });

  t.test('if nothing can be reached at all, nobody is told and nothing changes', async (t) => {
    t.equal((await name(OTHER, 'example.net')).status, 200);
    says.set('example.net', 'proved');
    await check(OTHER);
    const told = await notices(PUBLISHER_ID);
    const lines: string[] = [];
    const log = { warn: (line: string) => void lines.push(line) };
    const day = now + DAY;
    for (const domain of ['example.com', 'example.net']) says.set(domain, 'unreachable');
    for (let later = 0; later <= 3 * DAY; later += HOUR) {
      now = day + later;
      t.equal(await recheckDomains({ db, prove, now: () => now, log }), 2);
    }
    t.strictSame(
      new Set(lines),
      new Set(['no domain of a publisher could be reached; the network of this server may be down']),
    );
    t.strictSame([await notices(PUBLISHER_ID), await notices(OTHER)], [told, []]);
    const { rows } = await sql`
      select from publisher_domain where failing_since is not null or unreachable_since is not null`.execute(
      db,
    );
    t.equal(rows.length, 0);
    now += HOUR;
    says.set('example.net', 'proved');
    await recheck();
    t.strictSame(await notices(PUBLISHER_ID), told, 'the day begins with the first answer of another domain');
    now += HOUR;
    says.set('example.com', 'proved');
    t.equal(await recheck(), 1);
    t.equal((await own(PUBLISHER_ID)).verified, 'example.com');
    await remove(OTHER);
  });

  t.test('another domain needs a proof of its own, and without a domain there is no mark', async (t) => {
    const before = await own(PUBLISHER_ID);
    t.equal((await name(PUBLISHER_ID, 'other.example')).status, 422, 'an unknown suffix');
    t.equal((await name(PUBLISHER_ID, 'example.org')).status, 200);
    const after = await own(PUBLISHER_ID);
    t.match(after, { verified: null, domain: { domain: 'example.org', verified_at: null } });
    t.not(after.domain?.token, before.domain?.token);
    says.set('example.org', 'proved');
    t.equal((await check(PUBLISHER_ID)).verification.verified, 'example.org');
    t.equal((await remove(PUBLISHER_ID)).status, 200);
    t.equal((await remove(PUBLISHER_ID)).status, 200);
    t.strictSame(await own(PUBLISHER_ID), { verified: null, domain: null, decision: null });
    t.equal(await mark(), undefined);
  });

  t.test('a name of another user service loses what looks like the mark', async (t) => {
    const claims = { sub: '55', nick_name: 'Ada ✔️' };
    const headers = { authorization: `Bearer ${await issuer.sign(claims)}` };
    t.equal((await ask(url, 'publisher/verification', { headers })).status, 200);
    const { rows } = await sql`select nick_name from person where user_id = 55`.execute(db);
    t.strictSame(rows, [{ nick_name: 'Ada' }]);
  });

  t.test('an administrator verifies by hand and takes the mark away, with a reason', async (t) => {
    const listed = async () =>
      dataOf(
        await ask(url, 'manager/publisher/verified/list', { headers: await bearer(ADMIN, 2) }),
        contract.listVerified.data,
      ).publisher_list;
    const missing = await decide({ user_id: PUBLISHER_ID, is_verified: true, reason: ' ' });
    t.strictSame([missing.status, Object(missing.json).code], [400, 'VALIDATION_FAILED']);
    const nobody = await decide({ user_id: 999, is_verified: true, reason: 'Known' });
    t.strictSame([nobody.status, Object(nobody.json).code], [404, 'PUBLISHER_NOT_FOUND']);
    t.equal((await decide({ user_id: PUBLISHER_ID, is_verified: true, reason: 'Known to us' })).status, 200);
    t.equal(await mark(), '');
    t.match(await listed(), [
      { publisher: { user_id: PUBLISHER_ID, verified: '' }, reason: 'Known to us', ends_at: null },
    ]);
    t.strictSame((await notices(PUBLISHER_ID))[0], ['verification_given', { reason: 'Known to us' }]);

    await name(PUBLISHER_ID, 'example.com');
    await check(PUBLISHER_ID);
    t.equal(await mark(), 'example.com');
    t.equal((await decide({ user_id: PUBLISHER_ID, is_verified: false, reason: 'Sold it' })).status, 200);
    t.equal(await mark(), undefined);
    t.strictSame(await listed(), []);
    t.strictSame((await notices(PUBLISHER_ID))[0], ['verification_taken', { reason: 'Sold it' }]);
    t.equal((await check(PUBLISHER_ID)).verification.verified, null, 'a proof does not bring it back');
    t.match((await own(PUBLISHER_ID)).decision, { is_verified: false, reason: 'Sold it' });
    const { rows } = await sql`select action, target_id, detail from audit_trail
      where target_kind = 'publisher' order by id`.execute(db);
    t.strictSame(rows, [
      { action: 'publisher.verify', target_id: String(PUBLISHER_ID), detail: { reason: 'Known to us' } },
      { action: 'publisher.unverify', target_id: String(PUBLISHER_ID), detail: { reason: 'Sold it' } },
    ]);
  });
});
