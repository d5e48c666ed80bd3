import { createHash } from 'node:crypto';
import t from 'tap';
import { appendToLog, readLog } from '../../../../server/community/catalogue/transparency/log-store.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask } from '../../ask.ts';
import { addVersion } from '../versions/add-version.ts';

const MALWARE = { reason: 'malware', text: { 'en-US': 'Steals files' }, must_stop: true };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

t.test('the log of approvals and withdrawals', async (t) => {
  const { db, dataDir, url, bearer } = await testCommunity(t);
  const pluginId = await addPlugin(db, { key: 'logged-plugin' });
  await addVersion(db, dataDir, { pluginId, version: '1.1.0', content: 'package', isCurrent: true });
  const at = new Date('2030-01-02T03:04:05.678Z');
  const append = (...versions: (string | null)[]) =>
    db.transaction().execute((trx) =>
      appendToLog(
        trx,
        versions.map((version) => ({ kind: 'approve', pluginKey: 'logged-plugin', version })),
        at,
      ),
    );
  const all = () => readLog(db, { after: 0, limit: 1000 });

  t.test('an entry has the digest of its package and the hash of the one before', async (t) => {
    await append('1.1.0', null);
    const [first, second] = await all();
    const digest = sha256('package');
    const zeros = '0'.repeat(64);
    const hash = sha256(
      `{"at":"2030-01-02T03:04:05.678Z","digest":"${digest}","kind":"approve","plugin_key":"logged-plugin","previous_hash":"${zeros}","sequence":1,"version":"1.1.0"}`,
    );
    t.strictSame(first, {
      sequence: 1,
      at: '2030-01-02T03:04:05.678Z',
      kind: 'approve',
      plugin_key: 'logged-plugin',
      version: '1.1.0',
      digest,
      previous_hash: zeros,
      hash,
    });
    t.hasStrict(second, { sequence: 2, version: null, digest: null, previous_hash: hash });
  });

  t.test('decisions at the same time make one chain', async (t) => {
    await Promise.all(Array.from({ length: 12 }, () => append('1.1.0')));
    const entries = await all();
    t.strictSame(
      entries.map(({ sequence }) => sequence),
      Array.from({ length: 14 }, (_, index) => index + 1),
    );
    t.strictSame(
      entries.slice(1).map(({ previous_hash }) => previous_hash),
      entries.slice(0, -1).map(({ hash }) => hash),
    );
  });

  t.test('a decision that is undone leaves no entry', async (t) => {
    const before = await all();
    await t.rejects(
      db.transaction().execute(async (trx) => {
        await appendToLog(trx, [{ kind: 'approve', pluginKey: 'logged-plugin', version: null }], at);
        throw new Error('undone');
      }),
      { message: 'undone' },
    );
    t.strictSame(await all(), before);
  });

  t.test('withdrawing and restoring are in the log, each once', async (t) => {
    const headers = await bearer(1, 2);
    const [last] = (await all()).slice(-1);
    const change = async (is_withdrawn: boolean, more: Record<string, string> = {}) => {
      const body = { plugin_key: 'logged-plugin', is_withdrawn, ...(is_withdrawn && MALWARE), ...more };
      const { status } = await ask(url, 'manager/plugin/withdrawn', { method: 'PUT', headers, body });
      t.equal(status, 200);
    };
    await change(true, { version: '1.1.0' });
    await change(true, { version: '1.1.0' });
    await change(true);
    await change(false);
    await change(false);
    await change(false, { version: '1.1.0' });
    const digest = sha256('package');
    t.match(await readLog(db, { after: last?.sequence ?? 0, limit: 10 }), [
      { kind: 'withdraw', plugin_key: 'logged-plugin', version: '1.1.0', digest },
      { kind: 'withdraw', version: null, digest: null },
      { kind: 'restore', version: null, digest: null },
      { kind: 'restore', version: '1.1.0', digest },
    ]);
    t.equal((await all()).length, (last?.sequence ?? 0) + 4);
  });
});
