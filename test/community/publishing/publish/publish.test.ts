import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { jpeg, mp4 } from '../../../fixtures/media/files.ts';
import { testCommunity } from '../../../support/community.ts';
import { watchStatements } from '../../../support/plans.ts';
import { addTag } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';
import { shownPlugin } from '../../shown-plugin.ts';
import { importBatch, packageOf } from '../batch/send-batch.ts';
import { formOf, jsonFile, type Parts, packageText, pluginForm } from './form-parts.ts';
import { filesBelow, inconsistentFiles, publishing } from './publishing.ts';

t.test('publish', async (t) => {
  const community = await testCommunity(t, { publishers: 'members', editors: ['pixso', 'whiteboard'] });
  const { db, url } = community;
  const { send, sent, storedState, pass } = publishing(community);
  await addTag(db, 'layout');
  await addTag(db, 'code');
  const picture = new File([new Uint8Array(await jpeg())], 'cover.jpg');
  const drawn = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer();
  const PNG = `data:image/png;base64,${drawn.toString('base64')}`;
  const other = new File([new Uint8Array(drawn)], 'before.png');
  const video = new File([new Uint8Array(mp4())], 'film.mp4');

  const editable = async (plugin_key: string, userId = 7) =>
    dataOf(
      await ask(url, `plugin/edit?plugin_key=${plugin_key}`, { headers: await community.bearer(userId) }),
      contract.readEditablePlugin.data,
    );
  const seen = (plugin_key: string) => ask(url, `plugin?plugin_key=${plugin_key}`);
  let serial = 0;
  /** A package unlike all others. */
  const another = () => {
    serial += 1;
    return jsonFile(packageText({}, `console.log(${serial});\n`));
  };

  t.test('the tools that a version works in are stored, and they are those of the deployment', async (t) => {
    serial += 1;
    const packaged = (engines: Record<string, string>) =>
      jsonFile(
        packageText(
          { manifest: { name: 'Ranged', main: 'main.js', editorType: ['whiteboard'], engines } },
          `console.log(${serial});\n`,
        ),
      );
    const { status, json } = await send(pluginForm({ code: packaged({ photoshop: '>=1' }) }));
    t.equal(status, 422);
    const message = 'Plugins of this site work in: pixso, whiteboard. photoshop is none of these.';
    t.match(json, {
      code: 'PACKAGE_INVALID',
      errors: [{ code: 'ENGINE_UNKNOWN', severity: 'error', message }],
    });
    const { plugin_key } = await sent(pluginForm({ code: packaged({ pixso: '>=4.2' }) }));
    const { host_range } = await db
      .selectFrom('plugin_version as v')
      .innerJoin('plugin as p', 'p.id', 'v.plugin_id')
      .select('v.host_range')
      .where('p.plugin_key', '=', plugin_key)
      .executeTakeFirstOrThrow();
    t.equal(host_range, 'pixso >=4.2; whiteboard *');
  });

  t.test('a plugin with all fields is submitted, and invisible until it is approved', async (t) => {
    const form = pluginForm({
      code: another(),
      tags: '["layout","code"]',
      support: 'Write to us',
      copyright_kind: 'custom',
      copyright_holder: 'Example Ltd',
      version_kind: 'fixed',
      icon: picture,
      cover: picture,
      panel: picture,
      media: [picture, video],
    });
    const result = await sent(form);
    t.match(result, { plugin_key: /^[A-Za-z0-9][\w-]{14}[A-Za-z0-9]$/, version: '1.0.0', audit_status: 1 });
    t.strictSame(Object.keys(result).sort(), ['audit_status', 'findings', 'plugin_key', 'version']);
    t.equal((await seen(result.plugin_key)).status, 404);
    const { listing, ...state } = await editable(result.plugin_key);
    t.hasStrict(state, { audit_status: 1, version: '1.0.0', version_kind: 'fixed', last_version: '1.0.0' });
    t.equal(state.current_version, null);
    t.hasStrict(listing, {
      default_lang: 'en-US',
      name: { 'en-US': 'Grid Keeper', 'zh-CN': '网格管家' },
      tags: ['layout', 'code'],
      copyright: { kind: 'custom', holder: 'Example Ltd' },
      plugin_mark: '',
      media: [{ kind: 'image' }, { kind: 'video', mime_type: 'video/mp4' }],
    });
    t.ok(listing.icon && listing.cover && listing.panel);
    await pass(result.plugin_key);
    t.hasStrict((await seen(result.plugin_key)).json, { data: { name: 'Grid Keeper', version: '1.0.0' } });
    t.strictSame(await inconsistentFiles(community), { orphans: [], missing: [] });
  });

  t.test("an administrator's plugin waits for review too, and may have a mark", async (t) => {
    const named = { 'en-US': 'Official' };
    await community.pool.query(
      `insert into mark (code, name, color, position) values ('official', $1, 'blue', 0)`,
      [named],
    );
    const { plugin_key } = await sent(pluginForm({ code: another(), plugin_mark: 'Official' }), {
      role: 1,
      userId: 1,
    });
    t.equal((await seen(plugin_key)).status, 404);
    t.equal((await editable(plugin_key, 1)).listing.plugin_mark, 'official');
    const plain = await sent(pluginForm({ code: another(), plugin_mark: 'Official' }));
    t.equal((await editable(plain.plugin_key)).listing.plugin_mark, '', 'ignored for others');
  });

  t.test('a published plugin does not change while its change waits', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another(), cover: picture }));
    await pass(plugin_key);
    const before = shownPlugin(await seen(plugin_key));
    const change = formOf({ plugin_key, name: '{"en-US":"Renamed"}', icon: picture });
    t.hasStrict(await sent(change, { method: 'PUT' }), { plugin_key, version: '1.0.0', audit_status: 1 });
    t.strictSame(shownPlugin(await seen(plugin_key)), before);
    const newer = pluginForm({
      plugin_key,
      version: '1.1.0',
      code: another(),
      name: undefined,
      intro: undefined,
    });
    t.hasStrict(await sent(newer), { version: '1.1.0', audit_status: 1 });
    t.strictSame(shownPlugin(await seen(plugin_key)), before);
    const { listing, version } = await editable(plugin_key);
    t.equal(version, '1.1.0');
    t.hasStrict(listing.name, { 'en-US': 'Renamed' }, 'the change that waited is part of the newer one');
    const { rows } = await community.pool.query(
      `select s.is_superseded, s.brings_version, s.is_first from submission s join plugin p on p.id = plugin_id
      where plugin_key = $1 order by s.id`,
      [plugin_key],
    );
    t.strictSame(rows, [
      { is_superseded: false, brings_version: true, is_first: true },
      { is_superseded: true, brings_version: false, is_first: false },
      { is_superseded: false, brings_version: true, is_first: false },
    ]);
    await pass(plugin_key);
    t.hasStrict((await seen(plugin_key)).json, { data: { name: 'Renamed', version: '1.1.0' } });
  });

  t.test('a missing field keeps its value', async (t) => {
    const form = pluginForm({
      code: another(),
      tags: '["code"]',
      support: 'Help',
      cover: picture,
      media: video,
    });
    const { plugin_key } = await sent(form);
    const before = (await editable(plugin_key)).listing;
    await sent(formOf({ plugin_key, contact: 'new@example.com' }), { method: 'PUT' });
    t.strictSame((await editable(plugin_key)).listing, { ...before, contact: 'new@example.com' });
    await sent(formOf({ plugin_key, remove: '["cover"]' }), { method: 'PUT' });
    const after = (await editable(plugin_key)).listing;
    t.strictSame(after, { ...before, contact: 'new@example.com', cover: null });
  });

  t.test('technical support has a text per language', async (t) => {
    const support = { 'en-US': 'Write to us', 'ja-JP': 'ご連絡ください' };
    const { plugin_key } = await sent(pluginForm({ code: another(), support: JSON.stringify(support) }));
    const written = async () => (await editable(plugin_key)).listing.support;
    const change = (fields: Record<string, string>) =>
      sent(formOf({ plugin_key, ...fields }), { method: 'PUT' });
    const shown = async (language: string) => {
      const answer = await ask(url, `plugin?plugin_key=${plugin_key}`, {
        headers: { 'accept-language': language },
      });
      const found = dataOf(answer, contract.readPlugin.data);
      return [found.support, found.support_lang];
    };
    t.strictSame(await written(), support);
    await pass(plugin_key);
    t.strictSame(await shown('ja-JP'), ['ご連絡ください', 'ja-JP']);
    t.strictSame(await shown('en-US'), ['Write to us', 'en-US']);
    t.strictSame(await shown('ru-RU'), ['Write to us', 'en-US'], 'as the intro');

    const same = await change({ support: JSON.stringify({ ...support, 'ja-JP': ' ご連絡ください ' }) });
    t.hasStrict(same, { findings: [{ code: 'VERSION_REPEATED' }] }, 'nothing has changed');
    await change({ support: 'Ask us' });
    t.strictSame(await written(), { ...support, 'en-US': 'Ask us' }, 'plain text is of the default language');
    await change({ default_lang: 'zh-CN' });
    t.strictSame(await written(), { ...support, 'en-US': 'Ask us' }, 'each text keeps its language');
    await change({ support: '{"ja-JP":"窓口","ru-RU":" "}' });
    t.strictSame(await written(), { 'ja-JP': '窓口' });
    await pass(plugin_key);
    t.strictSame(await shown('en-US'), ['窓口', 'ja-JP']);
    const packaged = { 'zh-CN': '写信给我们', 'es-ES': 'Escríbenos' };
    const code = jsonFile(packageText({ listing: { support: packaged } }, "console.log('helps');\n"));
    await sent(pluginForm({ plugin_key, version: '3.0.0', code }));
    t.strictSame(await written(), packaged);
    await pass(plugin_key);
    t.strictSame(await shown('es-ES'), ['Escríbenos', 'es-ES']);
    t.strictSame(await shown('ja-JP'), ['写信给我们', 'zh-CN'], 'its own default without English');

    await change({ support: '{}' });
    t.strictSame(await written(), {});
  });

  t.test("the package's icon is used, unless the form removes it", async (t) => {
    const icon = `data:image/png;base64,${Buffer.from(await picture.arrayBuffer()).toString('base64')}`;
    const withIcon = (main: string) => jsonFile(packageText({ listing: { icon } }, main));
    const { plugin_key } = await sent(pluginForm({ code: withIcon('console.log(11);') }));
    t.ok((await editable(plugin_key)).listing.icon);
    await sent(
      formOf({
        plugin_key,
        code: withIcon('console.log(12);'),
        version: '1.1.0',
        version_note: 'Without an icon',
        remove: '["icon"]',
      }),
      { method: 'PUT' },
    );
    t.equal((await editable(plugin_key)).listing.icon, null);
  });

  t.test('a plain text changes only the default language', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    await sent(formOf({ plugin_key, name: 'Grid Guard' }), { method: 'PUT' });
    t.strictSame((await editable(plugin_key)).listing.name, { 'en-US': 'Grid Guard', 'zh-CN': '网格管家' });
  });

  t.test('pictures and videos are ordered, added and removed', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another(), media: [picture, video] }));
    const kinds = async () => (await editable(plugin_key)).listing.media.map(({ kind }) => kind);
    const [first] = (await editable(plugin_key)).listing.media;
    const key = first?.kind === 'image' ? first.picture.key : '';
    const put = (media_order: unknown, media?: File) =>
      sent(formOf({ plugin_key, media_order: JSON.stringify(media_order), media }), { method: 'PUT' });
    await put([{ key }]);
    t.strictSame(await kinds(), ['image']);
    await put([{ upload: 0 }, { key }], video);
    t.strictSame(await kinds(), ['video', 'image']);
    await put([]);
    t.strictSame(await kinds(), []);
    await sent(formOf({ plugin_key, media: video }), { method: 'PUT' });
    t.strictSame(await kinds(), ['video']);
  });

  t.test('a picture is shown as the before of the one right before it', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another(), media: [picture, other, video] }));
    const shown = async () =>
      (await editable(plugin_key)).listing.media.map((item) =>
        item.kind === 'image' ? [item.picture.key, item.is_before ?? false] : [item.kind],
      );
    const [after, before] = (await shown()).map(([key]) => key);
    const put = (media_order: unknown) =>
      sent(formOf({ plugin_key, media_order: JSON.stringify(media_order) }), { method: 'PUT' });
    const pair = [{ key: after }, { key: before, is_before: true }];
    await put(pair);
    t.strictSame(await shown(), [
      [after, false],
      [before, true],
    ]);
    await pass(plugin_key);
    const { media } = dataOf(await seen(plugin_key), contract.readPlugin.data);
    t.match(media, [
      { kind: 'image', picture: { key: after } },
      { kind: 'image', picture: { key: before }, is_before: true },
    ]);
    t.notOk(media[0] && 'is_before' in media[0]);
    await sent(formOf({ plugin_key, media: video }), { method: 'PUT' });
    t.strictSame(await shown(), [[after, false], [before, true], ['video']], 'a file more leaves it so');
    await put([{ key: after }, { key: before }]);
    t.strictSame(await shown(), [
      [after, false],
      [before, false],
    ]);
    t.strictSame(await inconsistentFiles(community), { orphans: [], missing: [] });
  });

  t.test('fields missing in the form come from the package', async (t) => {
    const text = packageText({
      listing: {
        name: { 'ja-JP': '格子' },
        intro: { 'ja-JP': '格子を守る' },
        description: { 'ja-JP': '説明' },
        tags: ['code', 'no-such-tag'],
        contact: 'jp@example.com',
        version: '2.3.4',
        versionNote: { 'ja-JP': '最初' },
        copyright: 'Someone',
      },
    });
    const result = await sent(formOf({ code: jsonFile(text), intro: '{"en-US":"Keeps it"}' }));
    t.equal(result.version, '2.3.4');
    t.hasStrict(
      result.findings.filter(({ code }) => code === 'TAG_UNKNOWN'),
      [{ severity: 'warning' }],
    );
    t.hasStrict((await editable(result.plugin_key)).listing, {
      default_lang: 'ja-JP',
      name: { 'ja-JP': '格子' },
      intro: { 'en-US': 'Keeps it' },
      tags: ['code'],
      contact: 'jp@example.com',
      copyright: { kind: 'custom', holder: 'Someone' },
    });
  });

  t.test("without a version the first is 1.0.0, and the name may be the manifest's", async (t) => {
    const result = await sent(pluginForm({ code: another(), version: undefined, name: undefined }));
    t.equal(result.version, '1.0.0');
    t.hasStrict(
      result.findings.find(({ code }) => code === 'VERSION_ASSUMED'),
      { pointer: '/version' },
    );
    t.hasStrict((await editable(result.plugin_key)).listing.name, { 'en-US': 'Grid Keeper' });
  });

  t.test('a dry run returns the same and stores nothing', async (t) => {
    await sent(pluginForm({ code: another() }));
    const before = await storedState();
    const form = () =>
      pluginForm({ code: jsonFile(packageText({}, 'dry();\n')), icon: picture, media: video });
    const dry = await sent(form(), { query: '?dry_run=1' });
    t.hasStrict(dry, { plugin_key: 'dry-run-no-key', version: '1.0.0', audit_status: 1 });
    t.strictSame(await storedState(), before);
    const wet = await sent(form());
    t.strictSame({ ...wet, plugin_key: '' }, { ...dry, plugin_key: '' });
    const again = pluginForm({ plugin_key: wet.plugin_key, version: '0.9.0', code: another() });
    t.hasStrict(await send(again, { query: '?dry_run=1' }), {
      status: 422,
      json: { code: 'VERSION_NOT_GREATER' },
    });
  });

  t.test('a repeated submission changes nothing', async (t) => {
    const code = another();
    const first = await sent(pluginForm({ code }));
    const before = await storedState();
    const again = await sent(pluginForm({ code }));
    t.hasStrict(again, { plugin_key: first.plugin_key, version: '1.0.0', audit_status: 1 });
    t.hasStrict(again.findings, [{ code: 'VERSION_REPEATED' }]);
    t.hasStrict(await sent(pluginForm({ plugin_key: first.plugin_key, code })), { audit_status: 1 });
    await sent(formOf({ plugin_key: first.plugin_key, contact: 'maker@example.com' }), { method: 'PUT' });
    t.strictSame(await storedState(), before);
    await pass(first.plugin_key);
    t.hasStrict(await sent(pluginForm({ code })), { plugin_key: first.plugin_key, audit_status: 2 });
    const other = await sent(pluginForm({ code }), { userId: 8 });
    t.not(other.plugin_key, first.plugin_key, 'another owner gets another plugin');
  });

  t.test('a refused version is corrected and submitted again', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    const refuse = () =>
      community.pool.query(
        `with s as (update submission set audit_status = 3, reason = 'No' where not is_superseded and plugin_id =
          (select id from plugin where plugin_key = $1) returning plugin_version_id)
        update plugin_version set audit_status = 3 where id in (select plugin_version_id from s)`,
        [plugin_key],
      );
    await refuse();
    const change = formOf({
      plugin_key,
      contact: 'better@example.com',
      version_note: 'Mended',
      version_kind: 'fixed',
    });
    t.hasStrict(await sent(change, { method: 'PUT' }), { version: '1.0.0', audit_status: 1 });
    const state = await editable(plugin_key);
    t.hasStrict(state, { audit_status: 1, version_kind: 'fixed', version_note: { 'en-US': 'Mended' } });
    await refuse();
    t.hasStrict(await sent(formOf({ plugin_key }), { method: 'PUT' }), { version: '1.0.0', audit_status: 1 });
    const taken = pluginForm({ plugin_key, code: another() });
    t.hasStrict(await send(taken), {
      status: 409,
      json: { code: 'VERSION_EXISTS', errors: [{ pointer: '/version' }] },
    });
  });

  t.test('the note of an approved version cannot change', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    await pass(plugin_key);
    const answer = await send(formOf({ plugin_key, version_note: 'Other' }), { method: 'PUT' });
    t.hasStrict(answer, {
      status: 409,
      json: { code: 'VERSION_EXISTS', errors: [{ pointer: '/version_note' }] },
    });
  });

  t.test('a change of a waiting submission has the same required fields', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    // As an earlier release has let it in.
    await community.pool.query(
      `with v as (update plugin_version set note = '{}' where plugin_id =
        (select id from plugin where plugin_key = $1) returning plugin_id)
      update submission set listing = listing || '{"intro":{}}' where plugin_id in (select plugin_id from v)`,
      [plugin_key],
    );
    const change = { plugin_key, contact: 'other@example.com' };
    t.hasStrict(await send(formOf(change), { method: 'PUT' }), {
      status: 422,
      json: {
        code: 'LISTING_INVALID',
        errors: [
          { code: 'FIELD_REQUIRED', pointer: '/intro', message: 'This is required.' },
          { code: 'FIELD_REQUIRED', pointer: '/version_note' },
        ],
      },
    });
    const whole = { ...change, intro: 'Keeps it', version_note: 'First' };
    t.hasStrict(await sent(formOf(whole), { method: 'PUT' }), { audit_status: 1 });
  });

  t.test('an icon that the form keeps is not replaced by that of the package', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another(), icon: picture }));
    const { icon } = (await editable(plugin_key)).listing;
    const bring = (version: string, change: Parts) => {
      const code = jsonFile(packageText({ listing: { icon: PNG } }, `console.log('${version}');\n`));
      return sent(pluginForm({ plugin_key, version, code, ...change }));
    };
    await bring('1.1.0', { keep: '["icon"]' });
    t.strictSame((await editable(plugin_key)).listing.icon, icon);
    await bring('1.2.0', {});
    t.not((await editable(plugin_key)).listing.icon?.key, icon?.key);
    await bring('1.3.0', { remove: '["icon"]' });
    t.equal((await editable(plugin_key)).listing.icon, null);
  });

  t.test('a change based on an older submission is a conflict', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    const { submission_id } = await editable(plugin_key);
    const change = (contact: string, based_on: number) =>
      send(formOf({ plugin_key, contact, based_on: String(based_on) }), { method: 'PUT' });
    t.equal((await change('a@example.com', submission_id)).status, 200);
    const late = await change('b@example.com', submission_id);
    t.equal(late.status, 409);
    const newest = (await editable(plugin_key)).submission_id;
    t.hasStrict(late.json, {
      code: 'CONFLICT',
      data: { submission_id: newest, submitted_by: { user_id: 7 } },
    });
    t.equal((await editable(plugin_key)).listing.contact, 'a@example.com');
    t.equal((await change('b@example.com', newest)).status, 200);
  });
});

t.test('races', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { pool, url, dataDir } = community;
  const { send, sent, pass } = publishing(community);
  const icon = new File([new Uint8Array(await jpeg())], 'icon.jpg');
  let serial = 0;
  const another = () => {
    serial += 1;
    return jsonFile(packageText({}, `console.log(${serial});\n`));
  };
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
  const count = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows[0].count;

  /** The part of a tap test that is used here. */
  interface Check {
    strictSame(found: unknown, wanted: unknown): boolean;
  }

  /** No row without its file, and no upload left; files that a lost race leaves are the sweep's. */
  async function sound(t: Check): Promise<void> {
    t.strictSame((await inconsistentFiles(community)).missing, []);
    t.strictSame(await filesBelow(join(dataDir, 'uploads')), []);
  }

  t.test('twenty simultaneous submissions of the same package create one plugin', async (t) => {
    const code = another();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(pluginForm({ code, icon }))));
    t.strictSame(statuses(answers), Array(20).fill(200));
    t.equal(new Set(answers.map(({ json }) => Object(json).data.plugin_key)).size, 1);
    t.equal(await count('select count(*) from plugin'), 1);
    t.equal(await count('select count(*) from submission'), 1);
    await sound(t);
  });

  t.test('of two simultaneous contents of one version one is refused', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    for (let round = 1; round <= 5; round += 1) {
      const version = `1.${round}.0`;
      const forms = [another(), another()].map((code) => pluginForm({ plugin_key, version, code, icon }));
      const answers = await Promise.all(forms.map((form) => send(form)));
      t.strictSame(statuses(answers), [200, 409]);
      t.hasStrict(answers.find(({ status }) => status === 409)?.json, { code: 'VERSION_EXISTS' });
    }
    t.equal(
      await count(
        `select count(*) from plugin_version v join plugin p on p.id = plugin_id where plugin_key = $1`,
        plugin_key,
      ),
      6,
    );
    await sound(t);
  });

  t.test('simultaneous changes of different fields are all kept', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    const changes = [
      { contact: 'x@example.com' },
      { support: 'Ask us' },
      { intro: '{"en-US":"Other"}' },
      { icon },
    ];
    const answers = await Promise.all(
      changes.map((change) => send(formOf({ plugin_key, ...change }), { method: 'PUT' })),
    );
    t.strictSame(statuses(answers), [200, 200, 200, 200]);
    const { rows } = await pool.query(
      `select listing from submission where not is_superseded and plugin_id = (select id from plugin where plugin_key = $1)`,
      [plugin_key],
    );
    t.match(rows, [
      {
        listing: { contact: 'x@example.com', support: 'Ask us', intro: { 'en-US': 'Other' }, icon_key: /\w/ },
      },
    ]);
    t.equal(rows.length, 1);
    await sound(t);
  });

  t.test('a dry run waits for no lock', async (t) => {
    const { plugin_key } = await sent(pluginForm({ code: another() }));
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query('select from plugin where plugin_key = $1 for update', [plugin_key]);
      await other.query('select from person for update');
      const form = () => pluginForm({ plugin_key, version: '2.0.0', code: another(), icon });
      const dry = await send(form(), { query: '?dry_run=1' });
      t.hasStrict(dry, { status: 200, json: { data: { plugin_key, version: '2.0.0', audit_status: 1 } } });
      const fresh = await send(pluginForm({ code: another() }), { query: '?dry_run=1' });
      t.hasStrict(fresh, { status: 200, json: { data: { plugin_key: 'dry-run-no-key' } } });
    } finally {
      await other.query('rollback');
      other.release();
    }
  });

  t.test('deleting a plugin during the submission of a version', async (t) => {
    for (let round = 0; round < 10; round += 1) {
      const { plugin_key } = await sent(pluginForm({ code: another() }));
      if (round % 2) await pass(plugin_key);
      const upload = send(pluginForm({ plugin_key, version: '2.0.0', code: another(), icon }));
      const removal = new Promise((resolve) => setTimeout(resolve, round * 8)).then(async () =>
        ask(url, 'plugin', { method: 'DELETE', headers: await community.bearer(7), body: { plugin_key } }),
      );
      const [uploaded, removed] = await Promise.all([upload, removal]);
      t.equal(removed.status, 200);
      t.ok([200, 404].includes(uploaded.status), String(uploaded.status));
      t.equal(
        await count(
          `select count(*) from submission join plugin p on p.id = plugin_id
          where plugin_key = $1 and submission.audit_status = 1 and not is_superseded`,
          plugin_key,
        ),
        0,
        'nothing of it waits',
      );
    }
    await sound(t);
  });
});

t.test('a publish reads its state once before the checks and once under the locks', async (t) => {
  // Within a minute, whoever publishes is stored once.
  const at = Date.now();
  const community = await testCommunity(t, {
    publishers: 'members',
    publishing: { limits: [{ max: 20, window: 60_000 }], quotaBytes: 2 ** 30 },
    now: () => at,
  });
  const { sent, pass } = publishing(community);
  const statementsOf = watchStatements(community);
  await addTag(community.db, 'layout');
  const icon = new File([new Uint8Array(await jpeg())], 'icon.jpg');
  const code = (name: string) => jsonFile(packageText({}, `${name}();\n`));
  const { plugin_key: earlier } = await sent(pluginForm({ code: code('zero') }));
  const created = await ask(community.url, 'plugin/token', {
    headers: await community.bearer(7),
    body: { name: 'ci', plugin_key: earlier },
  });
  const { secret } = Object(created.json).data;
  const byToken = async (body: FormData) => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await fetch(`${community.url}/api/cmt/plugin`, { method: 'POST', headers, body });
    t.equal(answer.status, 200);
  };
  await byToken(pluginForm({ plugin_key: earlier, version: '1.0.1', code: code('warm') }));
  await pass(earlier);

  let plugin_key = '';
  const first = await statementsOf(async () => {
    ({ plugin_key } = await sent(pluginForm({ code: code('one') })));
  });
  t.equal(first.length, 22, 'a new plugin');
  await pass(plugin_key);

  const version = (number: string, change: Parts = {}) =>
    pluginForm({ plugin_key, version: number, code: code(`v${number.replaceAll('.', '')}`), ...change });
  const next = await statementsOf(() => sent(version('1.1.0')));
  t.equal(next.length, 13, 'a new version');
  const locked = next.findIndex((text) => text.includes('for no key update of p'));
  t.match(next[locked + 1], /has_passed/, 'which is checked once more when everything is locked');
  t.equal(next.filter((text) => text.includes('has_passed')).length, 2);

  const changed = { name: '{"en-US":"Grid Guard","zh-CN":"守卫","ja-JP":"番"}', tags: '["layout"]', icon };
  const all = await statementsOf(() => sent(version('1.2.0', changed)));
  t.equal(all.length, 17, 'with other names, tags and pictures');

  const form = pluginForm({ plugin_key: earlier, version: '1.1.0', code: code('token') });
  const authenticated = 1;
  t.equal((await statementsOf(() => byToken(form))).length, 13 + authenticated, 'by a publish token');

  const item = { name: 'Batch', id: 'batch' };
  const files = (number: string) => ({
    files: [['a.json', packageOf({ ...item, version: number })]] as const,
  });
  const [imported] = await importBatch(community, { ...files('1.0.0'), userId: 7, role: 0 });
  await pass(imported?.plugin_key ?? '');
  const matched = 1;
  // With those of other plugins, and of verified publishers.
  const named = 2;
  const batch = await statementsOf(() => importBatch(community, { ...files('1.1.0'), userId: 7, role: 0 }));
  t.equal(batch.length, 13 + matched + named, 'as a package of a batch');
});
