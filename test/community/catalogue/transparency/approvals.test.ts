import { createHash, generateKeyPairSync } from 'node:crypto';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import t from 'tap';
import { signUnsigned } from '../../../../server/community/catalogue/transparency/approvals.ts';
import { rotateApprovalKey } from '../../../../server/community/catalogue/transparency/keys.ts';
import { readLog } from '../../../../server/community/catalogue/transparency/log-store.ts';
import { contract } from '../../../../shared/contract.ts';
import { APPROVAL_KEYS_PATH } from '../../../../shared/signed.ts';
import { SITE, type TestCommunity, testCommunity } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { addPlugin } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf } from '../../ask.ts';
import { reviewer } from '../../review/decisions/reviewer.ts';
import { addVersion } from '../versions/add-version.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function keysOf({ url }: TestCommunity): Promise<JSONWebKeySet> {
  return (await fetch(url + APPROVAL_KEYS_PATH)).json();
}

/** The claims of a signature that the published keys verify. */
async function claimsOf(community: TestCommunity, signature: string): Promise<unknown> {
  const { payload } = await compactVerify(signature, createLocalJWKSet(await keysOf(community)));
  return JSON.parse(new TextDecoder().decode(payload));
}

async function versionsOf({ url, bearer }: TestCommunity, key: string) {
  const headers = await bearer(1, 2);
  const answer = await ask(url, `plugin/version/list?plugin_key=${key}`, { headers });
  return dataOf(answer, contract.listVersions.data).version_list;
}

/** A plugin whose version 1.1.0 with a package waits for review. */
async function addWaiting({ db, dataDir }: TestCommunity, key: string): Promise<number> {
  const pluginId = await addPlugin(db, { key });
  const versionId = await addVersion(db, dataDir, { pluginId, version: '1.1.0', status: 1, content: key });
  const manifest = { permissions: ['selection', 'currentuser'] };
  await db
    .updateTable('plugin_version')
    .set({
      package_manifest: JSON.stringify(manifest),
      allowed_domains: ['b.example', 'a.example'],
      host_range: 'pixso >=4.2',
    })
    .where('id', '=', versionId)
    .execute();
  return addSubmission(db, { pluginId });
}

t.test('an approval is signed and logged with the decision', async (t) => {
  const now = Date.now();
  const community = await testCommunity(t, { now: () => now });
  const { db, url, bearer } = community;
  const { decide } = reviewer(community);
  const submission_id = await addWaiting(community, 'signed-one');
  const [waiting] = await versionsOf(community, 'signed-one');
  t.hasStrict(waiting, { version: '1.1.0', digest: sha256('signed-one'), size: 10, signature: null });

  t.equal((await decide({ submission_id, plugin_key: 'signed-one', audit_status: 2 })).status, 200);
  const [version] = await versionsOf(community, 'signed-one');
  const signature = version?.signature ?? '';
  const [key] = (await keysOf(community)).keys;
  t.strictSame(decodeProtectedHeader(signature), { alg: 'EdDSA', kid: key?.kid, typ: 'plugin-approval+jwt' });
  t.strictSame(await claimsOf(community, signature), {
    iss: SITE,
    sub: 'signed-one',
    version: '1.1.0',
    digest: sha256('signed-one'),
    size: 10,
    permissions: ['currentuser', 'selection'],
    domains: ['a.example', 'b.example'],
    host_range: 'pixso >=4.2',
    iat: Math.floor(now / 1000),
  });
  const proof = { digest: sha256('signed-one'), size: 10, signature };
  t.hasStrict(
    dataOf(await ask(url, 'plugin?plugin_key=signed-one'), contract.readPlugin.data),
    proof,
    'details',
  );
  const headers = await bearer(7);
  await ask(url, 'plugin/user', { headers, body: { plugin_key: 'signed-one' } });
  const { plugin_list } = dataOf(
    await ask(url, 'plugin/user/list', { headers }),
    contract.listInstalled.data,
  );
  t.hasStrict(plugin_list, [proof], 'installed');

  t.test('an approval that is revoked leaves no signature, and both are in the log', async (t) => {
    const revoke = { submission_id, audit_status: 3, expected_status: 2, reason: 'Broken' };
    t.equal((await decide({ ...revoke, plugin_key: 'signed-one' })).status, 200);
    t.hasStrict(await versionsOf(community, 'signed-one'), [{ version: '1.1.0', signature: null }]);
    const approve = { submission_id, audit_status: 2, expected_status: 3 };
    t.equal((await decide({ ...approve, plugin_key: 'signed-one' })).status, 200);
    const entry = { plugin_key: 'signed-one', version: '1.1.0', digest: sha256('signed-one') };
    const { entry_list } = dataOf(await ask(url, 'plugin/log'), contract.listLog.data);
    t.hasStrict(entry_list, [
      { kind: 'approve', ...entry },
      { kind: 'revoke', ...entry },
      { kind: 'approve', ...entry },
    ]);
    const head = dataOf(await ask(url, 'plugin/log/head'), contract.readLogHead.data);
    t.hasStrict(head, { sequence: 3, hash: entry_list[2]?.hash });
    t.equal(decodeProtectedHeader(head.signature).typ, 'plugin-log-head+jwt');
    t.strictSame(await claimsOf(community, head.signature), {
      iss: SITE,
      sequence: 3,
      hash: head.hash,
      iat: Math.floor(now / 1000),
    });
    const after = dataOf(await ask(url, 'plugin/log?after=1&limit=1'), contract.listLog.data).entry_list;
    t.strictSame(after, entry_list.slice(1, 2));
    t.equal((await ask(url, 'plugin/log?after=-1')).status, 400);
  });

  t.test('a change of the listing approves no version again', async (t) => {
    const { id } = await db
      .selectFrom('plugin')
      .select('id')
      .where('plugin_key', '=', 'signed-one')
      .executeTakeFirstOrThrow();
    const before = await readLog(db, { after: 0, limit: 100 });
    const listing = await addSubmission(db, { pluginId: id });
    const decided = await decide({ submission_id: listing, plugin_key: 'signed-one', audit_status: 2 });
    t.equal(decided.status, 200);
    t.strictSame(await readLog(db, { after: 0, limit: 100 }), before);
  });

  t.test('an approval that fails leaves neither', async (t) => {
    const waits = await addWaiting(community, 'undone-one');
    const before = await readLog(db, { after: 0, limit: 100 });
    await community.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger refuse before insert on transparency_log for each row execute function refuse()`,
    );
    const failed = await decide({ submission_id: waits, plugin_key: 'undone-one', audit_status: 2 });
    t.equal(failed.status, 500);
    await community.pool.query('drop trigger refuse on transparency_log');
    t.hasStrict(await versionsOf(community, 'undone-one'), [{ audit_status: 1, signature: null }]);
    t.strictSame(await readLog(db, { after: 0, limit: 100 }), before);
  });
});

t.test('keys', async (t) => {
  const community = await testCommunity(t);
  const { db, app } = community;
  const { signing } = app.community;
  const { decide } = reviewer(community);
  const approved = async (key: string) => {
    await decide({ submission_id: await addWaiting(community, key), plugin_key: key, audit_status: 2 });
    const [version] = await versionsOf(community, key);
    return version?.signature ?? '';
  };

  t.test('a rotated key signs at once, and what the old one has signed stays valid', async (t) => {
    const before = await approved('before-rotation');
    const kid = await rotateApprovalKey(db, signing.encryptor, new Date());
    const after = await approved('after-rotation');
    t.equal(decodeProtectedHeader(after).kid, kid);
    t.not(decodeProtectedHeader(before).kid, kid);
    const { keys } = await keysOf(community);
    t.equal(keys.length, 2);
    t.strictSame(
      keys.map((key) => Object.keys(key).toSorted()),
      keys.map(() => ['alg', 'crv', 'kid', 'kty', 'use', 'x']),
      'only public parts',
    );
    t.match(await claimsOf(community, before), { sub: 'before-rotation' });
    t.match(await claimsOf(community, after), { sub: 'after-rotation' });
  });

  t.test('a key that cannot be decrypted here is replaced', async (t) => {
    const other = await testCommunity(t, { beside: community, dataDir: t.testdir() });
    const [version] = await versionsOf(community, 'before-rotation');
    await decide({
      ...{ plugin_key: 'before-rotation', audit_status: 3, expected_status: 2, reason: 'Again' },
    });
    await reviewer(other).decide({ plugin_key: 'before-rotation', audit_status: 2, expected_status: 3 });
    const [again] = await versionsOf(other, 'before-rotation');
    t.not(again?.signature, version?.signature);
    t.match(await claimsOf(community, again?.signature ?? ''), { sub: 'before-rotation' });
    t.equal((await keysOf(community)).keys.length, 3);
  });

  t.test('the given key signs', async (t) => {
    const given = generateKeyPairSync('ed25519').privateKey;
    const pluginId = await addPlugin(db, { key: 'given-key' });
    await addVersion(db, community.dataDir, { pluginId, version: '1.1.0', content: 'given' });
    // It passes over a version that the service is changing at the moment.
    await until(async () => (await signUnsigned(db, { ...signing, given }, new Date())) === 1);
    const [version] = await versionsOf(community, 'given-key');
    t.match(await claimsOf(community, version?.signature ?? ''), { sub: 'given-key' });
    t.match(await keysOf(community), { keys: [{ x: given.export({ format: 'jwk' }).x }] });
  });
});

t.test('what was approved before is signed in the background', async (t) => {
  const community = await testCommunity(t);
  const { db, dataDir } = community;
  const approvedAt = new Date('2020-02-03T04:05:06Z');
  for (let index = 0; index < 120; index += 1) {
    const pluginId = await addPlugin(db, { key: `earlier-${index}` });
    await addVersion(db, dataDir, { pluginId, version: '1.1.0', content: `earlier ${index}` });
    const submission = await addSubmission(db, { pluginId, status: 2 });
    await db.updateTable('submission').set({ decided_at: approvedAt }).where('id', '=', submission).execute();
  }
  await db
    .updateTable('plugin')
    .set({ withdrawn_at: new Date() })
    .where('plugin_key', '=', 'earlier-3')
    .execute();
  // As after a kill: only the first batch is there.
  t.equal(await signUnsigned(db, community.app.community.signing, new Date()), 50);
  const first = await readLog(db, { after: 0, limit: 1000 });
  t.equal(first.length, 51);
  t.hasStrict(first.at(-1), { kind: 'withdraw', plugin_key: 'earlier-3', version: null });

  const others = [1, 2].map(() => testCommunity(t, { beside: community, signsEarlier: true }));
  await Promise.all(others);
  const all = await until(async () => {
    const entries = await readLog(db, { after: 0, limit: 1000 });
    return entries.length >= 121 && entries;
  });
  t.equal(all.length, 121);
  t.strictSame(all.slice(0, 51), first);
  t.equal(new Set(all.map(({ plugin_key }) => plugin_key)).size, 120, 'each plugin once');
  const [version] = await versionsOf(community, 'earlier-119');
  t.match(await claimsOf(community, version?.signature ?? ''), {
    sub: 'earlier-119',
    iat: approvedAt.getTime() / 1000,
  });
});
