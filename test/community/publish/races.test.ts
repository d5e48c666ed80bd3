import { join } from 'node:path';
import t from 'tap';
import { jpeg } from '../../fixtures/media/good.ts';
import { testCommunity } from '../../support/community.ts';
import { ask } from '../ask.ts';
import { formOf, jsonFile, packageText, pluginForm } from './form-parts.ts';
import { filesBelow, inconsistentFiles, publishing } from './publishing.ts';

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
    { listing: { contact: 'x@example.com', support: 'Ask us', intro: { 'en-US': 'Other' }, icon_key: /\w/ } },
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
