import sharp from 'sharp';
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf } from '../../ask.ts';
import { filesBelow } from '../publish/publishing.ts';
import { ADMIN_ID, importBatch, packageOf } from './send-batch.ts';

t.test('several packages', async (t) => {
  const community = await testCommunity(t);
  const { db, pool } = community;
  await addTag(db, 'colour');
  const picture = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer();
  const PNG = `data:image/png;base64,${picture.toString('base64')}`;

  const rows = async (table: string) =>
    Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);
  const ownList = async (userId = ADMIN_ID) => {
    const answer = await ask(community.url, 'plugin/audit', { headers: await community.bearer(userId, 2) });
    return dataOf(answer, contract.listOwnPlugins.data).plugin_list;
  };

  t.test('files with one or many packages return one result for each package, in order', async (t) => {
    const results = await importBatch(community, {
      files: [
        ['one.json', packageOf({ name: 'One' })],
        ['many.json', [packageOf({ name: 'Two' }), { no: 'plugin' }, packageOf({ name: 'Three' })]],
        ['broken.json', '{"format": "plugin-package",\n "manifest": }'],
        ['four.json', packageOf({ name: 'Four', listing: { tags: ['colour'], icon: PNG } })],
      ],
    });
    t.hasStrict(
      results.map(({ file, index, ok }) => [file, index, ok]),
      [
        ['one.json', 0, true],
        ['many.json', 0, true],
        ['many.json', 1, false],
        ['many.json', 2, true],
        ['broken.json', 0, false],
        ['four.json', 0, true],
      ],
    );
    t.hasStrict(results[2]?.errors, [{ code: 'NOT_A_PLUGIN', pointer: '/1' }]);
    t.hasStrict(results[4]?.errors, [{ severity: 'error', line: 2 }]);
    for (const { ok, plugin_key, version, is_new_version, errors } of results) {
      if (!ok) continue;
      t.match(plugin_key, /^[\w-]{16}$/);
      t.strictSame([version, is_new_version, errors], ['1.0.0', false, []]);
    }
    const mine = await ownList();
    t.equal(mine.length, 4);
    const four = mine.find(({ plugin }) => plugin.name === 'Four');
    t.hasStrict(four, {
      audit_status: 1,
      is_live: false,
      plugin: { tags: [{ code: 'colour' }], icon: { width: 32 }, intro: 'Made in a test' },
    });
    t.equal(await rows('stored_file'), 4);
  });

  t.test('the same id and name is a new version, another id or name is a new plugin', async (t) => {
    const first = packageOf({
      name: 'Grown',
      id: 'grown',
      listing: { name: { 'en-US': 'Grown', 'zh-CN': '长大' } },
    });
    const [created] = await importBatch(community, { files: [['a.json', first]] });
    const cases: [title: string, next: Record<string, unknown>, isVersion: boolean][] = [
      ['same id, same name', packageOf({ name: 'GROWN ', id: 'grown', version: '1.1.0' }), true],
      [
        'same id, its name in another language',
        packageOf({ name: '长大', id: 'grown', version: '1.2.0' }),
        true,
      ],
      ['same id, another name', packageOf({ name: 'Other', id: 'grown', version: '1.3.0' }), false],
      ['same name, another id', packageOf({ name: 'Grown', id: 'other', version: '1.4.0' }), false],
      ['same name, no id', packageOf({ name: 'Grown', version: '1.5.0' }), false],
    ];
    for (const [title, next, isVersion] of cases) {
      const [result] = await importBatch(community, { files: [['b.json', next]] });
      t.hasStrict(result, { ok: true, is_new_version: isVersion }, title);
      t.equal(result?.plugin_key === created?.plugin_key, isVersion, title);
    }
  });

  t.test('a package that fits two plugins, or one of another publisher, is a new plugin', async (t) => {
    const twin = (version: string) => packageOf({ name: 'Twin', id: 'twin', version });
    const items = [{ file: 0, index: 0, plugin_key: null }];
    const [first] = await importBatch(community, { files: [['a.json', twin('1.0.0')]] });
    const [second] = await importBatch(community, { files: [['a.json', twin('2.0.0')]], items });
    t.not(first?.plugin_key, second?.plugin_key, 'null makes a new one');
    const [third] = await importBatch(community, { files: [['a.json', twin('3.0.0')]] });
    t.equal(third?.is_new_version, false);
    const files = [['a.json', packageOf({ name: 'Shared', id: 'shared' })]] as const;
    const [mine] = await importBatch(community, { files });
    const [theirs] = await importBatch(community, { files, userId: 51 });
    t.equal(theirs?.is_new_version, false);
    t.not(theirs?.plugin_key, mine?.plugin_key);
  });

  t.test('the same plugin twice in one batch', async (t) => {
    const results = await importBatch(community, {
      files: [
        [
          'a.json',
          [
            packageOf({ name: 'Twice', id: 'twice' }),
            packageOf({ name: 'Twice', id: 'twice', version: '1.1.0' }),
            packageOf({ name: 'Twice', id: 'twice', version: '1.1.0' }),
            packageOf({ name: 'Twice', id: 'twice', version: '1.1.0', code: 'other();' }),
            packageOf({ name: 'Twice', id: 'twice', version: '0.9.0' }),
          ],
        ],
      ],
    });
    const [first, second, repeated, altered, earlier] = results;
    t.hasStrict(first, { ok: true, is_new_version: false });
    t.match(second, { ok: true, is_new_version: true, plugin_key: first?.plugin_key, version: '1.1.0' });
    t.hasStrict(second?.warnings, [{ code: 'DUPLICATE_ID', params: { id: 'twice' } }]);
    t.match(repeated, { ok: true, plugin_key: first?.plugin_key, version: '1.1.0' });
    t.hasStrict(repeated?.warnings, [{ code: 'VERSION_REPEATED', severity: 'notice' }]);
    t.hasStrict(altered, { ok: false, errors: [{ code: 'VERSION_EXISTS', pointer: '/version' }] });
    t.hasStrict(earlier, {
      ok: false,
      errors: [{ code: 'VERSION_NOT_GREATER', params: { version: '1.1.0' } }],
    });
  });

  t.test('different plugins with the same id stay separate', async (t) => {
    const results = await importBatch(community, {
      files: [['a.json', [packageOf({ name: 'Id A', id: '1' }), packageOf({ name: 'Id B', id: '1' })]]],
    });
    t.hasStrict(results, [
      { ok: true },
      { ok: true, is_new_version: false, warnings: [{ code: 'DUPLICATE_ID' }] },
    ]);
    t.not(results[0]?.plugin_key, results[1]?.plugin_key);
  });

  t.test('corrections by hand take precedence', async (t) => {
    const nameless = packageOf({ name: '', version: 'first' });
    const [refused] = await importBatch(community, { files: [['a.json', nameless]] });
    t.equal(refused?.ok, false);
    t.ok(refused?.errors.some(({ pointer }) => pointer === '/manifest/name'));
    t.ok(refused?.errors.some(({ pointer }) => pointer === '/listing/version'));
    const items = [{ file: 0, index: 0, name: ' Named now ', version: '2.0.0' }];
    const [mended] = await importBatch(community, { files: [['a.json', nameless]], items });
    t.hasStrict(mended, { ok: true, version: '2.0.0', errors: [] });
    const mine = await ownList();
    t.ok(mine.some(({ plugin, version }) => plugin.name === 'Named now' && version === '2.0.0'));
    const bad = [{ file: 0, index: 0, name: 'Named', version: '2' }];
    const [wrong] = await importBatch(community, { files: [['a.json', nameless]], items: bad });
    t.hasStrict(wrong, { ok: false, errors: [{ code: 'VERSION_INVALID' }] });
  });

  t.test('a chosen plugin, a skipped item', async (t) => {
    const [created] = await importBatch(community, { files: [['a.json', packageOf({ name: 'Chosen' })]] });
    const results = await importBatch(community, {
      files: [['a.json', [packageOf({ name: 'Renamed', version: '3.0.0' }), packageOf({ name: 'Skipped' })]]],
      items: [
        { file: 0, index: 0, plugin_key: created?.plugin_key },
        { file: 0, index: 1, skip: true },
      ],
    });
    t.match(results[0], {
      ok: true,
      plugin_key: created?.plugin_key,
      is_new_version: true,
      version: '3.0.0',
    });
    t.strictSame(results[1], {
      file: 'a.json',
      index: 1,
      ok: true,
      errors: [],
      warnings: [
        { code: 'ITEM_SKIPPED', severity: 'notice', pointer: '', message: 'Left out as you asked.' },
      ],
    });
    t.notOk((await ownList()).some(({ plugin }) => plugin.name === 'Skipped'));
  });

  t.test('a missing first version is assumed, a missing later one is an error', async (t) => {
    const unnumbered = packageOf({ name: 'Unnumbered', id: 'unnumbered', version: null });
    const [first] = await importBatch(community, { files: [['a.json', unnumbered]] });
    t.hasStrict(first, { ok: true, version: '1.0.0', warnings: [{ code: 'VERSION_ASSUMED' }] });
    const [next] = await importBatch(community, {
      files: [['a.json', { ...unnumbered, files: { 'main.js': '1' } }]],
    });
    t.hasStrict(next, { ok: false, errors: [{ code: 'FIELD_REQUIRED', pointer: '/version' }] });
  });

  const places = (findings: readonly { code: string; pointer: string }[] = []) =>
    findings.filter(({ code }) => code === 'FIELD_REQUIRED').map(({ pointer }) => pointer);

  t.test('required fields of the form are required here, and may be added by hand', async (t) => {
    const bare = { ...packageOf({ name: 'Bare' }), listing: { version: '1.0.0' } };
    const files = [['a.json', [bare, packageOf({ name: 'Whole' })]]] as const;
    const before = (await ownList()).length;
    for (const dryRun of [true, false]) {
      const [refused, whole] = await importBatch(community, { files, dryRun });
      t.hasStrict(refused, { ok: false, errors: [{ severity: 'error', message: 'This is required.' }] });
      t.strictSame(places(refused?.errors), ['/intro', '/description', '/contact', '/version_note']);
      t.equal(whole?.ok, true);
    }
    t.equal((await ownList()).length, before + 1);
    const listing = {
      intro: { 'en-US': 'Added', 'ja-JP': ' 追加 ' },
      description: { 'en-US': 'Added at length' },
      support: { 'ja-JP': '窓口' },
      copyright_kind: 'custom',
    };
    const half = [{ file: 0, index: 0, listing }];
    const [some] = await importBatch(community, { files: [['a.json', bare]], items: half });
    t.strictSame(places(some?.errors), ['/contact', '/version_note', '/copyright_holder']);
    const rest = { contact: 'me@example.com', copyright_holder: 'Ada', version_note: { 'en-US': 'One' } };
    const items = [
      { file: 0, index: 0, listing: { ...listing, ...rest, tags: ['colour'], version_kind: 'fixed' } },
    ];
    const [taken] = await importBatch(community, { files: [['a.json', bare]], items });
    t.hasStrict(taken, { ok: true, version: '1.0.0', errors: [] });
    const editable = await ask(community.url, `plugin/edit?plugin_key=${taken?.plugin_key}`, {
      headers: await community.bearer(ADMIN_ID, 2),
    });
    t.hasStrict(dataOf(editable, contract.readEditablePlugin.data), {
      listing: {
        name: { 'en-US': 'Bare' },
        intro: { 'en-US': 'Added', 'ja-JP': '追加' },
        support: { 'ja-JP': '窓口' },
        contact: 'me@example.com',
        copyright: { kind: 'custom', holder: 'Ada' },
        tags: ['colour'],
      },
      version_kind: 'fixed',
      version_note: { 'en-US': 'One' },
    });
  });

  t.test('items refer to pictures that are sent with the packages', async (t) => {
    const items = [
      {
        file: 0,
        index: 0,
        icon: 1,
        cover: 0,
        media: [0, 1],
        listing: { media_order: [{ upload: 1 }, { upload: 0 }] },
      },
      { file: 0, index: 1, listing: { remove: ['icon'] } },
      { file: 0, index: 2, icon: 2 },
      { file: 0, index: 3, cover: 9 },
    ];
    const wide = await sharp({ create: { width: 160, height: 90, channels: 3, background: '#37a' } })
      .jpeg()
      .toBuffer();
    const four = ['Shown', 'Iconless', 'Broken icon', 'Nowhere'];
    const packages = four.map((name) => packageOf({ name, listing: { icon: PNG } }));
    const [shown, iconless, broken, nowhere] = await importBatch(community, {
      files: [['a.json', packages]],
      items,
      media: [wide, picture, Buffer.from('no picture')],
    });
    const listingOf = async (key: string | undefined) => {
      const headers = await community.bearer(ADMIN_ID, 2);
      const answer = await ask(community.url, `plugin/edit?plugin_key=${key}`, { headers });
      return dataOf(answer, contract.readEditablePlugin.data).listing;
    };
    t.hasStrict(await listingOf(shown?.plugin_key), {
      icon: { width: 32 },
      cover: { width: 160, height: 90 },
      media: [{ picture: { width: 32 } }, { picture: { width: 160 } }],
    });
    t.equal((await listingOf(iconless?.plugin_key)).icon, null);
    t.hasStrict(broken, { ok: false, errors: [{ code: 'IMAGE_FORMAT', pointer: '/icon' }] });
    t.hasStrict(nowhere, { ok: false, errors: [{ code: 'UPLOAD_MISSING', pointer: '/cover' }] });
  });

  t.test('incomplete plugins of earlier releases stay; their next version must be complete', async (t) => {
    const [created] = await importBatch(community, {
      files: [['a.json', packageOf({ name: 'Old', id: 'old' })]],
    });
    await pool.query(
      `update submission set listing = listing || '{"intro":{},"contact":""}' where plugin_id =
      (select id from plugin where plugin_key = $1)`,
      [created?.plugin_key],
    );
    const bare = (version: string) => ({ ...packageOf({ name: 'Old', id: 'old' }), listing: { version } });
    const files = [['a.json', bare('1.1.0')]] as const;
    const [asked] = await importBatch(community, { files });
    t.strictSame(places(asked?.errors), ['/intro', '/contact', '/version_note']);
    const listing = {
      intro: { 'en-US': 'Now' },
      contact: 'me@example.com',
      version_note: { 'en-US': 'Urgent' },
    };
    const [urgent] = await importBatch(community, { files, items: [{ file: 0, index: 0, listing }] });
    t.match(urgent, { ok: true, is_new_version: true, plugin_key: created?.plugin_key }, 'in the same call');
    const [repeated] = await importBatch(community, { files });
    t.hasStrict(
      repeated,
      { ok: true, warnings: [{ code: 'VERSION_REPEATED' }] },
      'a repeated package changes nothing',
    );
  });

  t.test('a dry run returns the same and stores nothing', async (t) => {
    const tables = ['plugin', 'plugin_version', 'submission', 'stored_file', 'picture'];
    const before = await Promise.all(tables.map(rows));
    const filesBefore = await filesBelow(community.dataDir);
    const results = await importBatch(community, {
      files: [
        ['a.json', [packageOf({ name: 'Dry', listing: { icon: PNG } }), {}, packageOf({ name: 'Dry too' })]],
      ],
      dryRun: true,
    });
    t.hasStrict(results, [
      { ok: true, plugin_key: 'dry-run-no-key', version: '1.0.0', is_new_version: false },
      { ok: false, errors: [{ code: 'NOT_A_PLUGIN' }] },
      { ok: true },
    ]);
    t.strictSame(await Promise.all(tables.map(rows)), before);
    t.strictSame(await filesBelow(community.dataDir), filesBefore);
  });
});

t.test('matching plugins', async (t) => {
  const community = await testCommunity(t);
  const { db, url, bearer } = community;

  async function add(
    key: string,
    name: string,
    externalId: string | null,
    publisherId = ADMIN_ID,
  ): Promise<number> {
    const id = await addPlugin(db, { key, name: { 'en-US': name }, publisherId });
    await db.updateTable('plugin').set({ external_id: externalId }).where('id', '=', id).execute();
    return id;
  }

  const ask1 = async (packages: unknown, userId = ADMIN_ID, role: 0 | 1 | 2 = 2) =>
    ask(url, 'manager/plugins/match', { headers: await bearer(userId, role), body: { packages } });
  const matches = async (...packages: [external_id: string | null, name: string][]) => {
    const described = packages.map(([external_id, name]) => ({ external_id, name }));
    return dataOf(await ask1(described), contract.matchPackages.data).matches;
  };

  await add('both-alike', 'Palette', 'pal');
  await add('same-id-only', 'Something', 'pal');
  await add('same-name-only', 'Palette', 'xyz');
  await add('no-id-at-all', 'Palette!', null);
  await add('of-another', 'Palette', 'pal', 99);
  const renamed = await add('renamed-lately', 'Before', 'ren');
  await addSubmission(db, {
    createdBy: ADMIN_ID,
    pluginId: renamed,
    version: '1.10.0',
    listing: { name: { 'en-US': 'After', 'ja-JP': '後' } },
  });

  t.test('a plugin with both is matched, plugins with either are candidates, the better first', async (t) => {
    const [match] = await matches(['pal', 'palette']);
    t.equal(match?.plugin_key, 'both-alike');
    t.equal(match?.candidates[0]?.plugin_key, 'both-alike');
    t.strictSame(match?.candidates.map(({ plugin_key }) => plugin_key).sort(), [
      'both-alike',
      'same-id-only',
      'same-name-only',
    ]);
  });

  t.test('a plugin is found by its published name and by its submitted one', async (t) => {
    const found = await matches(['ren', 'Before'], ['ren', ' after'], ['ren', '後'], ['ren', 'Else']);
    t.strictSame(
      found.map(({ plugin_key }) => plugin_key),
      ['renamed-lately', 'renamed-lately', 'renamed-lately', null],
    );
    t.strictSame(found[3]?.candidates, [
      { plugin_key: 'renamed-lately', name: 'After', last_version: '1.10.0' },
    ]);
  });

  t.test('without similar plugins nothing is returned', async (t) => {
    t.strictSame(await matches([null, 'Nothing like it'], ['', '']), [
      { plugin_key: null, candidates: [] },
      { plugin_key: null, candidates: [] },
    ]);
    t.strictSame(await matches(), []);
  });

  t.test('names without letters, or like a query, find nothing', async (t) => {
    for (const name of ['!!!', "' | 'x", '\\', "a' & !b", '=', '#3', '😀']) {
      const answer = await ask1([{ external_id: null, name }]);
      t.equal(answer.status, 200, name);
    }
  });

  for (const [title, packages] of [
    ['51 packages', Array.from({ length: 51 }, () => ({ external_id: null, name: 'x' }))],
    ['no list', 'x'],
    ['a package without an id', [{ name: 'x' }]],
    ['an over-long name', [{ external_id: null, name: 'x'.repeat(201) }]],
  ] as const) {
    t.test(`refused: ${title}`, async (t) => {
      const answer = await ask1(packages);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
    });
  }
});
