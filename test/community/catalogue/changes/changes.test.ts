import { base64url, compactVerify, createRemoteJWKSet } from 'jose';
import t from 'tap';
import { numberChanges } from '../../../../server/community/catalogue/changes/changes.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { addRelease, packageText } from '../../use/packages/add-release.ts';
import { settleChanges } from './settle-changes.ts';

const ADMIN = 1;
const MALWARE = { reason: 'malware', text: { 'en-US': 'Steals files' }, must_stop: true };
const TOLD = { reason: 'malware', texts: { 'en-US': 'Steals files' }, must_stop: true };

t.test('changes of the catalogue', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, bearer } = community;
  const read = async (query = '') => {
    await settleChanges(db);
    return dataOf(await ask(url, `plugin/changes${query}`), contract.readCatalogueChanges.data);
  };
  const keysOf = ({ change_list }: Awaited<ReturnType<typeof read>>) =>
    change_list.map(({ plugin_key }) => plugin_key);
  const withdraw = async (plugin_key: string, more: Record<string, unknown>) => {
    const body = { plugin_key, ...more };
    const headers = await bearer(ADMIN, 2);
    const answer = await ask(url, 'manager/plugin/withdrawn', { method: 'PUT', headers, body });
    t.equal(answer.status, 200);
  };

  t.test('an empty catalogue', async (t) => {
    t.strictSame(await read(), { change_list: [], next: 0, has_more: false });
  });

  t.test('begins with all public plugins, each once, page by page', async (t) => {
    for (const key of ['plugin-one', 'plugin-two', 'plugin-three']) await addPlugin(db, { key });
    await addPlugin(db, { key: 'plugin-waiting', auditStatus: 1 });
    t.strictSame(keysOf(await read()).sort(), ['plugin-one', 'plugin-three', 'plugin-two']);
    const first = await read('?limit=2');
    t.equal(first.has_more, true);
    const rest = await read(`?limit=2&after=${first.next}`);
    t.equal(rest.has_more, false);
    t.strictSame([...keysOf(first), ...keysOf(rest)], keysOf(await read()));
    t.strictSame(keysOf(await read(`?after=${rest.next}`)), []);
  });

  t.test('tells versions and withdrawals with their digests, in order', async (t) => {
    const pluginId = await addPlugin(db, { key: 'told-plugin' });
    const content = packageText('told()');
    const { digest, text } = await addRelease(community, {
      pluginId,
      version: '1.1.0',
      content,
      isCurrent: true,
    });
    const { next, change_list } = await read();
    t.hasStrict(change_list.at(-1), {
      plugin_key: 'told-plugin',
      state: 'listed',
      version: '1.1.0',
      package: { digest, size: text.length, signature: null, address: `/api/cmt/package/${digest}` },
      withdrawal: null,
      withdrawn_versions: [],
    });
    await withdraw('told-plugin', { is_withdrawn: true, ...MALWARE, version: '1.1.0' });
    await withdraw('plugin-one', { is_withdrawn: true, ...MALWARE });
    await db.updateTable('plugin').set({ is_hidden: true }).where('plugin_key', '=', 'plugin-two').execute();
    const after = await read(`?after=${next}`);
    t.equal(after.change_list.length, 3);
    const byKey = new Map(after.change_list.map((change) => [change.plugin_key, change]));
    t.hasStrict(byKey.get('told-plugin'), {
      state: 'listed',
      version: '1.0.0',
      package: null,
      withdrawn_versions: [{ version: '1.1.0', digest, ...TOLD }],
    });
    t.hasStrict(byKey.get('plugin-one'), {
      state: 'withdrawn',
      version: '',
      withdrawal: TOLD,
    });
    t.hasStrict(byKey.get('plugin-two'), { state: 'unlisted', version: '', package: null });
    await withdraw('plugin-one', { is_withdrawn: false });
    t.hasStrict((await read(`?after=${after.next}`)).change_list, [
      { plugin_key: 'plugin-one', state: 'listed', withdrawal: null },
    ]);
  });

  t.test('one that commits late is told after those that were told before it', async (t) => {
    const { next } = await read();
    const ids = {
      late: await addPlugin(db, { key: 'late-plugin' }),
      soon: await addPlugin(db, { key: 'soon-plugin' }),
    };
    const change = (plugin: keyof typeof ids, at = db) =>
      at
        .updateTable('plugin_version')
        .set({ is_hidden: true })
        .where('plugin_id', '=', ids[plugin])
        .execute();
    const before = await read(`?after=${next}`);
    const late = await db.startTransaction().execute();
    await change('late', late);
    await change('soon');
    const seen = await read(`?after=${before.next}`);
    t.strictSame(keysOf(seen), ['soon-plugin'], 'noted first, not committed');
    await late.commit().execute();
    t.strictSame(keysOf(await read(`?after=${seen.next}`)), ['late-plugin']);
  });

  t.test('what several instances put in order has no number twice and misses nothing', async (t) => {
    const { next } = await read();
    const keys = Array.from({ length: 40 }, (_, n) => `many-plugin-${n}`);
    await Promise.all(
      keys.map(async (key) => {
        await addPlugin(db, { key });
        await numberChanges(db);
      }),
    );
    const { change_list } = await read(`?after=${next}`);
    t.strictSame(change_list.map(({ plugin_key }) => plugin_key).sort(), keys.toSorted());
    t.equal(new Set(change_list.map(({ position }) => position)).size, keys.length);
  });

  t.test('is the same for everybody', async (t) => {
    const own = await ask(url, 'plugin/changes', { headers: await bearer(7) });
    t.strictSame(own.json, (await ask(url, 'plugin/changes')).json);
  });

  for (const [title, query, code] of [
    ['a position of later', 'after=999999', 'BAD_CURSOR'],
    ['a negative position', 'after=-1', 'VALIDATION_FAILED'],
    ['a position that is none', 'after=x', 'VALIDATION_FAILED'],
    ['too many at once', 'limit=1001', 'VALIDATION_FAILED'],
  ] as const) {
    t.test(`rejected: ${title}`, async (t) => {
      const answer = await ask(url, `plugin/changes?${query}`);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code });
    });
  }

  t.test('anybody verifies a page with its signature and the keys', async (t) => {
    const answer = await fetch(`${url}/api/cmt/plugin/changes?after=0&limit=2`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const [header, signature] = (answer.headers.get('x-jws-signature') ?? '').split('..');
    const keys = createRemoteJWKSet(new URL('/.well-known/plugin-square/keys.json', url));
    const check = (payload: Uint8Array) =>
      compactVerify(`${header}.${base64url.encode(payload)}.${signature}`, keys, { algorithms: ['EdDSA'] });
    const { protectedHeader } = await check(bytes);
    t.match(protectedHeader, { typ: 'plugin-changes+jws', iat: Number });
    t.match(protectedHeader.url, /\/api\/cmt\/plugin\/changes\?after=0&limit=2$/);
    const changed = bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte));
    await t.rejects(check(changed), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
  });

  t.test('a page is signed once until the catalogue changes', async (t) => {
    const signatureOf = async () =>
      (await fetch(`${url}/api/cmt/plugin/changes`)).headers.get('x-jws-signature');
    const first = await signatureOf();
    t.equal(await signatureOf(), first);
    await addPlugin(db, { key: 'signed-later' });
    await settleChanges(db);
    t.not(await signatureOf(), first);
  });
});
