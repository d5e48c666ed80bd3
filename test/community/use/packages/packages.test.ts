import { createHash } from 'node:crypto';
import t from 'tap';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import { digestPackages } from '../../../../server/community/use/packages/digests.ts';
import { openReleases } from '../../../../server/community/use/packages/releases.ts';
import { releasePackage } from '../../../../shared/package/package.ts';
import { testCommunity } from '../../../support/community.ts';
import { silentLog } from '../../../support/log.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask } from '../../ask.ts';
import { addVersion } from '../../catalogue/versions/add-version.ts';
import { addRelease, packageText, sha256 } from './add-release.ts';

const ADMIN = 1;
const USER = 7;
const OTHER = 8;

const digestField = (bytes: string | Uint8Array) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
const MALWARE = { reason: 'malware', text: { 'en-US': 'Steals files' }, must_stop: true };

t.test('packages by content', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { url, db, bearer } = community;
  const get = (digest: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url}/api/cmt/package/${digest}`, { method, headers });
  const addCurrent = async (key: string, content = packageText(`run('${key}')`)) => {
    const pluginId = await addPlugin(db, { key });
    const release = await addRelease(community, { pluginId, version: '1.1.0', content, isCurrent: true });
    return { pluginId, ...release };
  };
  const install = async (plugin_key: string, userId = USER) =>
    ask(url, 'plugin/user', { headers: await bearer(userId), body: { plugin_key } });

  t.test('one that everybody sees is public, immutable and has a digest', async (t) => {
    const { text, digest } = await addCurrent('public-package');
    const answer = await get(digest);
    t.equal(answer.status, 200);
    const body = await answer.text();
    t.equal(body, text);
    t.notMatch(body, /npm run build/, 'without the keys for developers');
    t.equal(sha256(body), digest);
    const { headers } = answer;
    t.equal(headers.get('cache-control'), 'public, s-maxage=30, max-age=31536000, immutable');
    t.equal(headers.get('etag'), `"${digest}"`);
    t.equal(headers.get('content-digest'), digestField(text));
    t.equal(headers.get('repr-digest'), digestField(text));
    t.equal(headers.get('accept-ranges'), 'bytes');
    t.equal(headers.get('content-type'), 'application/octet-stream');
    t.equal(headers.get('content-disposition'), `attachment; filename="${digest}.json"`);
    t.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    t.equal(headers.get('x-content-type-options'), 'nosniff');
  });

  t.test('HEAD, 304, ranges and If-Range', async (t) => {
    const { text, digest } = await addCurrent('ranged-package');
    const head = await get(digest, {}, 'HEAD');
    t.equal(head.status, 200);
    t.equal(head.headers.get('content-length'), String(text.length));
    t.equal(head.headers.get('repr-digest'), digestField(text));
    t.equal(head.headers.get('content-digest'), null, 'of no content');
    t.equal((await get(digest, { 'if-none-match': `"${digest}"` })).status, 304);

    const part = await get(digest, { range: 'bytes=2-9' });
    t.equal(part.status, 206);
    t.equal(part.headers.get('content-range'), `bytes 2-9/${text.length}`);
    t.equal(part.headers.get('content-digest'), digestField(text.slice(2, 10)), 'of the part');
    t.equal(part.headers.get('repr-digest'), digestField(text), 'of the whole');
    t.equal(await part.text(), text.slice(2, 10));
    t.equal(await (await get(digest, { range: 'bytes=-4' })).text(), text.slice(-4));

    const beyond = await get(digest, { range: `bytes=${text.length}-` });
    t.equal(beyond.status, 416);
    t.equal(beyond.headers.get('content-range'), `bytes */${text.length}`);
    t.hasStrict(await beyond.json(), { code: 'RANGE_NOT_SATISFIABLE' });

    for (const [condition, status] of [
      [`"${digest}"`, 206],
      [`W/"${digest}"`, 200],
      ['"another"', 200],
      ['Sat, 28 Nov 2026 00:00:00 GMT', 200],
    ] as const) {
      const answer = await get(digest, { range: 'bytes=0-0', 'if-range': condition });
      t.equal(answer.status, status, condition);
    }
  });

  t.test('an unknown or impossible digest', async (t) => {
    const unknown = await get('0'.repeat(64));
    t.equal(unknown.status, 404);
    t.equal(unknown.headers.get('cache-control'), 'no-store');
    t.hasStrict(await unknown.json(), { code: 'MEDIA_NOT_FOUND', message: 'This file does not exist.' });
    for (const digest of ['abc', 'A'.repeat(64), `${'0'.repeat(64)}.json`]) {
      t.equal((await get(digest)).status, 400, digest);
    }
  });

  for (const [title, key, change] of [
    ['hidden', 'hidden-package', { is_hidden: true }],
    ['deleted', 'deleted-package', { deleted_at: new Date() }],
  ] as const) {
    t.test(`one of a plugin that was ${title} stays for who has it, and is not public`, async (t) => {
      const { digest } = await addCurrent(key);
      t.equal((await install(key)).status, 200);
      await db.updateTable('plugin').set(change).where('plugin_key', '=', key).execute();
      t.equal((await get(digest)).status, 404, 'a visitor');
      t.equal((await get(digest, await bearer(OTHER))).status, 404, 'somebody else');
      const owned = await get(digest, await bearer(USER));
      t.equal(owned.status, 200);
      t.equal(owned.headers.get('cache-control'), 'private, max-age=31536000, immutable');
      t.equal((await get(digest, await bearer(ADMIN, 2))).status, 200, 'an administrator');
    });
  }

  t.test('one that waits for review: its publisher gets it when they try it, others never', async (t) => {
    const OWNER = 100;
    const pluginId = await addPlugin(db, { key: 'waiting-package', publisherId: OWNER, auditStatus: 1 });
    await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', pluginId).execute();
    const content = packageText('waits()');
    const { digest } = await addRelease(community, { pluginId, version: '1.1.0', status: 1, content });
    t.equal((await get(digest, await bearer(OWNER))).status, 404, 'not tried yet');
    t.equal((await install('waiting-package', OWNER)).status, 200);
    t.equal((await get(digest, await bearer(OWNER))).status, 200);
    t.equal((await get(digest, await bearer(OTHER))).status, 404);
    t.equal((await get(digest)).status, 404);
  });

  t.test('an install gets the delivered version, and no hidden one', async (t) => {
    const { pluginId } = await addCurrent('versions-package');
    t.equal((await install('versions-package')).status, 200);
    const content = packageText('hidden()');
    const { digest } = await addRelease(community, { pluginId, version: '1.2.0', isHidden: true, content });
    t.equal((await get(digest, await bearer(USER))).status, 404);
  });

  t.test('a withdrawn one is 410 with its reason, for everybody, until it is restored', async (t) => {
    const key = 'withdrawn-package';
    const { digest } = await addCurrent(key);
    t.equal((await install(key)).status, 200);
    const change = async (is_withdrawn: boolean, version?: string) =>
      ask(url, 'manager/plugin/withdrawn', {
        method: 'PUT',
        headers: await bearer(ADMIN, 2),
        body: { plugin_key: key, is_withdrawn, ...(is_withdrawn && MALWARE), version },
      });
    for (const [version, code] of [
      [undefined, 'PLUGIN_WITHDRAWN'],
      ['1.1.0', 'VERSION_WITHDRAWN'],
    ] as const) {
      t.equal((await change(true, version)).status, 200);
      for (const headers of [{}, await bearer(USER), await bearer(ADMIN, 2)]) {
        const answer = await get(digest, { ...headers, 'if-none-match': `"${digest}"` });
        t.equal(answer.status, 410);
        t.equal(answer.headers.get('cache-control'), 'no-store');
        t.hasStrict(await answer.json(), { code, data: { reason: 'malware', text: 'Steals files' } });
      }
      t.equal((await change(false, version)).status, 200);
      t.equal((await get(digest)).status, 200);
    }
  });

  t.test('the same content in another plugin that is not withdrawn is delivered', async (t) => {
    const content = packageText('shared()');
    const { digest } = await addCurrent('shared-one', content);
    await addCurrent('shared-two', `${content}\n`);
    const body = { plugin_key: 'shared-one', is_withdrawn: true, ...MALWARE };
    const headers = await bearer(ADMIN, 2);
    t.equal((await ask(url, 'manager/plugin/withdrawn', { method: 'PUT', headers, body })).status, 200);
    t.equal((await get(digest)).status, 200);
  });
});

t.test('digests of packages that are there already', async (t) => {
  const community = await testCommunity(t);
  const { app, db, dataDir, pool } = community;
  await app.close();
  const pluginId = await addPlugin(db, { key: 'earlier-release' });
  const contents = Array.from({ length: 70 }, (_, n) => packageText(`run(${n})`));
  for (const [n, content] of contents.entries()) {
    await addVersion(db, dataDir, { pluginId, version: `2.0.${n}`, content, isDigested: false });
  }
  const lost = `${sha256(contents[5] ?? '')}.json`;
  await openFolderStore(dataDir).remove(lost, new Date(Date.now() + 60_000));
  const releases = openReleases(openFolderStore(dataDir));
  t.teardown(() => releases.close());
  const found = async () => {
    const { rows } = await pool.query(
      'select release_key, release_bytes from stored_file order by release_key',
    );
    return rows.filter(({ release_key }) => release_key !== null);
  };
  const failed = new Set<string>();
  const ending = new AbortController();
  const stopping = {
    ...releases,
    async create(name: string) {
      ending.abort();
      return releases.create(name);
    },
  };
  const first = await digestPackages({
    db,
    releases: stopping,
    failed,
    log: silentLog,
    signal: ending.signal,
  });
  t.ok(first > 0 && first < 69, `${first} before it was stopped`);
  t.equal((await found()).length, first, 'what was done is stored');
  const rest = await digestPackages({ db, releases, failed, log: silentLog });
  t.equal(first + rest, 69, 'goes on where it was stopped');
  t.strictSame([...failed], [lost], 'a lost file stops no other');
  const expected = contents.filter((_, n) => n !== 5).map((content) => releasePackage(content));
  t.strictSame(
    await found(),
    expected
      .map((text) => ({ release_key: sha256(text), release_bytes: text.length }))
      .sort((a, b) => (a.release_key < b.release_key ? -1 : 1)),
  );
  t.equal(await digestPackages({ db, releases, failed, log: silentLog }), 0);
});
