import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { verify as verifyWith } from '../../../server/commands/verify/verify.ts';
import { exportBundle } from '../../../server/community/bundle/export-bundle.ts';
import { loadSigningKey, publicKeyOf, signHash } from '../../../server/community/bundle/signing-key.ts';
import { signUnsigned } from '../../../server/community/catalogue/transparency/approvals.ts';
import { hashOf } from '../../../server/community/catalogue/transparency/chain.ts';
import { publishedKeys } from '../../../server/community/catalogue/transparency/keys.ts';
import { appendToLog, readLog } from '../../../server/community/catalogue/transparency/log-store.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { createOutgoingFetch } from '../../../server/http/outgoing.ts';
import { collect, readArchive, writeArchive } from '../../../server/storage/archive.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { settleChanges } from '../../community/catalogue/changes/settle-changes.ts';
import { addVersion } from '../../community/catalogue/versions/add-version.ts';
import { type TestCommunity, testCommunity } from '../../support/community.ts';
import { until } from '../../support/until.ts';

const NAMES = ['one', 'two', 'three', 'four'];

/** Signs the four versions; one call passes over those that the service is changing at the moment. */
async function signAll({ db, app }: Pick<TestCommunity, 'db' | 'app'>): Promise<void> {
  let signed = 0;
  await until(async () => {
    signed += await signUnsigned(db, app.community.signing, new Date());
    return signed === NAMES.length;
  });
}

/** A site with four plugins, whose approvals are signed. */
async function signedSite(t: Test): Promise<TestCommunity> {
  const community = await testCommunity(t);
  const { db, dataDir } = community;
  for (const name of NAMES) {
    const pluginId = await addPlugin(db, { key: `plugin-${name}` });
    await addVersion(db, dataDir, {
      pluginId,
      version: '1.1.0',
      content: `{"package":"${name}"}`,
      isCurrent: true,
    });
  }
  await signAll(community);
  await settleChanges(db);
  return community;
}

const unknown = (name: string) => `plugin-${name} 1.1.0 is not approved in the log.`;

const ask = createOutgoingFetch({ ca: undefined, timeout: 10_000 });
const verify = (options: Omit<Parameters<typeof verifyWith>[0], 'ask'>) => verifyWith({ ask, ...options });

/** Verifies and answers what was found. */
async function problemsOf(options: Parameters<typeof verify>[0]): Promise<string[]> {
  return (await verify(options)).problems;
}

t.test('the log of a site', async (t) => {
  const { url: target, db, pool } = await signedSite(t);
  const kept = await verify({ target });
  t.strictSame(kept.problems, []);
  t.hasStrict(kept.head, { sequence: 4 });
  const tampered = async (change: string, problems: string[]) => {
    await pool.query('create table kept as select * from transparency_log');
    await pool.query(change);
    t.strictSame(await problemsOf({ target, seen: kept.head }), problems, change);
    await pool.query(
      'delete from transparency_log; insert into transparency_log select * from kept; drop table kept',
    );
  };

  await t.test('a changed entry', async () => {
    await tampered(`update transparency_log set plugin_key = 'plugin-evil' where sequence = 2`, [
      'Entry 2 was changed: its hash does not match.',
      unknown('two'),
    ]);
  });

  await t.test('a changed entry with a new hash', async (t) => {
    const [, second] = await readLog(db, { after: 0, limit: 10 });
    if (!second) throw new Error('the log is too short');
    const hash = hashOf({ ...second, plugin_key: 'plugin-evil' });
    t.not(hash, second.hash);
    await tampered(
      `update transparency_log set plugin_key = 'plugin-evil', hash = '${hash}' where sequence = 2`,
      ['Entry 3 does not follow entry 2: one of them was changed.', unknown('two')],
    );
  });

  await t.test('a removed entry', async () => {
    await tampered('delete from transparency_log where sequence = 2', [
      'Entry 2 is missing.',
      unknown('two'),
    ]);
    await tampered('delete from transparency_log where sequence > 2', [
      'Entries 3 to 4 are missing.',
      unknown('three'),
      unknown('four'),
    ]);
  });

  await t.test('reordered entries', async () => {
    await tampered(
      `update transparency_log set sequence = 9 where sequence = 2;
       update transparency_log set sequence = 2 where sequence = 3;
       update transparency_log set sequence = 3 where sequence = 9`,
      [
        'Entry 2 was changed: its hash does not match.',
        'Entry 2 does not follow entry 1: one of them was changed.',
        'Entry 3 was changed: its hash does not match.',
        'Entry 3 does not follow entry 2: one of them was changed.',
        'Entry 4 does not follow entry 3: one of them was changed.',
      ],
    );
  });

  await t.test('a log that was written again is another one than the kept head', async () => {
    await pool.query('create table kept as select * from transparency_log');
    await pool.query('delete from transparency_log');
    await db.transaction().execute((trx) =>
      appendToLog(
        trx,
        NAMES.map((name) => ({ kind: 'approve', pluginKey: `plugin-${name}`, version: null })),
        new Date(),
      ),
    );
    t.strictSame(await problemsOf({ target }), NAMES.map(unknown));
    t.strictSame(await problemsOf({ target, seen: kept.head }), [
      'Entry 4 is another one than the signed or kept one.',
      ...NAMES.map(unknown),
    ]);
    await pool.query(
      'delete from transparency_log; insert into transparency_log select * from kept; drop table kept',
    );
  });

  await t.test('keys of somebody else', async (t) => {
    const keys = join(t.testdir(), 'keys.json');
    await writeFile(keys, JSON.stringify(await foreignKeys()));
    t.strictSame(await problemsOf({ target, keys }), [
      'The signature of the head was made with an unknown key.',
      ...NAMES.map((name) => `plugin-${name} 1.1.0 has a signature that was made with an unknown key.`),
    ]);
    await writeFile(keys, JSON.stringify(await publishedKeys(db)));
    t.strictSame(await problemsOf({ target, keys }), []);
  });

  await t.test('the versions that the site lists', async (t) => {
    t.hasStrict(await verify({ target }), { packages: 4, problems: [] });
    const changed = async (change: string, problems: string[], end: string) => {
      await pool.query(change);
      await settleChanges(db);
      t.strictSame(await problemsOf({ target }), problems, change);
      await pool.query(end);
      await settleChanges(db);
    };
    const first = `(select id from plugin where plugin_key = 'plugin-one')`;
    await pool.query('create table was as select id, signature, version from plugin_version');
    const back = `
      update plugin_version set signature = null;
      update plugin_version v set signature = was.signature, version = was.version from was where was.id = v.id`;
    await changed(
      `update plugin_version set signature = (
          select signature from was where signature is not null and id <> plugin_version.id limit 1)
        where plugin_id = ${first}`,
      ['plugin-one 1.1.0 has the signature of something else.'],
      back,
    );
    await changed(
      `update plugin_version set signature = null where plugin_id = ${first}`,
      ['plugin-one 1.1.0 is not signed.'],
      back,
    );
    await changed(
      `update plugin_version set signature = null where plugin_id = ${first};
       update plugin_version v set version = '9.9.9', signature = was.signature from was
         where was.id = v.id and plugin_id = ${first} and v.version = '1.1.0'`,
      [
        'plugin-one 9.9.9 has the signature of something else.',
        'plugin-one 9.9.9 is not approved in the log.',
      ],
      back,
    );
    t.hasStrict(await verify({ target }), { packages: 4, problems: [] });
  });

  await t.test('a version that was withdrawn while the site is verified is no problem', async (t) => {
    const withdrawn: typeof ask = async (address, init) => {
      if (address.includes('/changes?'))
        await db
          .transaction()
          .execute((trx) =>
            appendToLog(trx, [{ kind: 'withdraw', pluginKey: 'plugin-one', version: '1.1.0' }], new Date()),
          );
      return ask(address, init);
    };
    t.strictSame((await verifyWith({ ask: withdrawn, target })).problems, []);
  });

  await t.test('no site', async (t) => {
    const nowhere = 'http://127.0.0.1:9';
    await t.rejects(verify({ target: nowhere }), {
      name: 'StartError',
      message: /cannot be read \(connect ECONNREFUSED/,
    });
  });
});

async function foreignKeys() {
  const { publicKey } = await generateKeyPair('EdDSA');
  return { keys: [{ ...(await exportJWK(publicKey)), kid: 'foreign' }] };
}

t.test('a bundle', async (t) => {
  const { db, dataDir, app, pool } = await signedSite(t);
  const signingKey = await loadSigningKey({ dataDir });
  const trust = publicKeyOf(signingKey);
  const folder = t.testdir();
  const file = join(folder, 'all.bundle');
  const files = openFolderStore(dataDir);
  await exportBundle({ db, files, signingKey, file, plugins: 'all', tell: () => undefined });
  t.hasStrict(await verify({ target: file, trust }), { head: { sequence: 4 }, packages: 4, problems: [] });

  /** The bundle with changed entries, in one piece and signed by the same key. */
  let copies = 0;
  async function repacked(change: (name: string, text: string) => string): Promise<string> {
    copies += 1;
    const copy = join(folder, `copy-${copies}.bundle`);
    const sign = (hash: string) => signHash(signingKey, hash);
    await writeArchive({ file: copy, kind: 'bundle', sign }, async (archive) => {
      await readArchive({ file, kind: 'bundle' }, async ({ name, pieces }) => {
        const text = (await collect(pieces)).toString();
        await archive.add(name, Buffer.from(change(name, text)));
      });
    });
    return copy;
  }
  const logPart = 'approvals/log/00000000.json';

  await t.test('a changed package', async (t) => {
    const target = await repacked((_name, text) => text.replace('{"package":"two"}', '{"package":"Two"}'));
    t.strictSame(await problemsOf({ target, trust }), ['plugin-two 1.1.0 has a changed or missing package.']);
  });

  await t.test('a changed log', async (t) => {
    const target = await repacked((name, text) =>
      name === logPart ? text.replace('"plugin-two"', '"plugin-six"') : text,
    );
    t.strictSame(await problemsOf({ target, trust }), [
      'Entry 2 was changed: its hash does not match.',
      'plugin-two 1.1.0 is not approved in the log.',
    ]);
    const cut = await repacked((name, text) =>
      name === logPart ? JSON.stringify(JSON.parse(text).slice(0, 3)) : text,
    );
    t.strictSame(await problemsOf({ target: cut, trust }), ['plugin-four 1.1.0 is not approved in the log.']);
    const reversed = await repacked((name, text) =>
      name === logPart ? JSON.stringify(JSON.parse(text).toReversed()) : text,
    );
    t.strictSame(await problemsOf({ target: reversed, trust }), [
      'Entries 1 to 3 are missing.',
      'Entry 3 is not in its place: it comes after entry 4.',
      'Entry 2 is not in its place: it comes after entry 4.',
      'Entry 1 is not in its place: it comes after entry 4.',
      ...['one', 'two', 'three'].map((name) => `plugin-${name} 1.1.0 is not approved in the log.`),
    ]);
  });

  await t.test('another key, and the signature of something else', async (t) => {
    const { privateKey } = await generateKeyPair('EdDSA');
    const foreign = await new SignJWT({ sub: 'plugin-two', version: '1.1.0' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'foreign', typ: 'plugin-approval+jwt' })
      .sign(privateKey);
    const withSignature = (signature: unknown) => (name: string, text: string) => {
      if (name !== 'plugins.json') return text;
      const bundle = JSON.parse(text);
      bundle.plugins[1].versions.at(-1).signature =
        signature === 'of the first' ? bundle.plugins[0].versions.at(-1).signature : signature;
      return JSON.stringify(bundle);
    };
    for (const [signature, problem] of [
      [foreign, 'has a signature that was made with an unknown key'],
      ['of the first', 'has the signature of something else'],
      ['nonsense', 'has a signature that is wrong'],
      [null, 'is not signed'],
    ])
      t.strictSame(await problemsOf({ target: await repacked(withSignature(signature)), trust }), [
        `plugin-two 1.1.0 ${problem}.`,
      ]);
    const widened = await repacked((name, text) => {
      if (name !== 'plugins.json') return text;
      const bundle = JSON.parse(text);
      bundle.plugins[0].versions.at(-1).host_range = 'pixso >=4.2';
      return JSON.stringify(bundle);
    });
    t.strictSame(await problemsOf({ target: widened, trust }), [
      'plugin-one 1.1.0 has the signature of something else.',
    ]);
  });

  await t.test('a changed file, and one that somebody else signed', async (t) => {
    const changed = join(folder, 'changed.bundle');
    const whole = await readFile(file, 'latin1');
    await writeFile(changed, whole.replace('plugin-two', 'plugin-six'), 'latin1');
    await t.rejects(verify({ target: changed, trust }), { message: /was changed or damaged/ });
    const stranger = publicKeyOf(await loadSigningKey({ dataDir: t.testdir() }));
    await t.rejects(verify({ target: file, trust: stranger }), { message: /was signed with another key/ });
  });

  await t.test('a later bundle holds the longer log', async (t) => {
    await pool.query(`update plugin_version set signature = null where version = '1.1.0'`);
    await signAll({ db, app });
    const later = join(folder, 'later.bundle');
    await exportBundle({ db, files, signingKey, file: later, plugins: 'all', tell: () => undefined });
    t.hasStrict(await verify({ target: later, trust }), { head: { sequence: 8 }, problems: [] });
  });

  await t.test('a folder of packages', async (t) => {
    const packages = join(folder, 'packages');
    await mkdir(packages);
    await writeFile(join(packages, 'one.json'), '{"package":"one"}');
    await writeFile(join(packages, 'two.json'), '{"package":"Two"}');
    t.hasStrict(await verify({ target: packages, log: file, trust }), {
      packages: 2,
      problems: ['two.json is in no approval of the log.'],
    });
    await t.rejects(verify({ target: packages }), {
      message: 'A folder needs --log with the site or the bundle of its log.',
    });
    const withdrawn = await signedSite(t);
    const append = (kind: 'withdraw' | 'restore', version: string | null) =>
      withdrawn.db
        .transaction()
        .execute((trx) => appendToLog(trx, [{ kind, pluginKey: 'plugin-one', version }], new Date()));
    await writeFile(join(packages, 'two.json'), '{"package":"two"}');
    const log = withdrawn.url;
    for (const version of [null, '1.1.0']) {
      await append('withdraw', version);
      t.strictSame(await problemsOf({ target: packages, log }), ['one.json is withdrawn.']);
      await append('restore', version);
      t.strictSame(await problemsOf({ target: packages, log }), []);
    }
  });
});
