import { sql } from 'kysely';
import t from 'tap';
import { resembledBy } from '../../../../server/community/catalogue/publisher-names/resembling.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask } from '../../ask.ts';
import { importBatch, packageOf } from '../../publishing/batch/send-batch.ts';
import { jsonFile, packageText, pluginForm } from '../../publishing/publish/form-parts.ts';
import { publishing } from '../../publishing/publish/publishing.ts';

const VERIFIED = PUBLISHER_ID;
const STRANGER = 7;

t.test('names of verified publishers', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { db, pool, url } = community;
  const { send, sent, pass } = publishing(community);
  await addPlugin(db, { key: 'verified-one', name: { 'en-US': 'Palette' } });
  const verify = (as: string | null) =>
    sql`update person set verified_as = ${as}, nick_name = 'Acme Design', handle = 'acme-works'
      where user_id = ${VERIFIED}`.execute(db);
  const resembled = async (text: string, userId = STRANGER) => (await resembledBy(db, [text], userId))[0];
  const headers = (userId: number, nick_name: string) =>
    community.issuer
      .sign({ sub: String(userId), nick_name })
      .then((token) => ({ authorization: `Bearer ${token}` }));
  const publish = async (userId: number, nick_name: string, form: FormData) => {
    const response = await fetch(`${url}/api/cmt/plugin`, {
      method: 'POST',
      headers: await headers(userId, nick_name),
      body: form,
    });
    return { status: response.status, json: await response.json() };
  };
  let scripts = 0;
  const code = () => jsonFile(packageText({}, `work(${++scripts});`));

  t.test('are known from their mark on, by name, handle and domain', async (t) => {
    await flushAll(db);
    t.equal(await resembled('Acme Design'), undefined, 'not before');
    await verify('acme.example.com');
    await flushAll(db);
    const found = { nick_name: 'Acme Design', handle: 'acme-works' };
    for (const text of ['Acme Design', 'Аcme  dеsign', 'Acme Works', 'Example'])
      t.strictSame(await resembled(text), { ...found, isSame: true }, text);
    t.strictSame(await resembled('Acme Dasing'), undefined, 'two letters make another name');
    t.strictSame(await resembled('Acme Desgn'), { ...found, isSame: false });
    t.equal(await resembled('Acme Design', VERIFIED), undefined, 'their own');
    t.equal(await resembled('Icons for Acme Design'), undefined);
    t.equal(await resembled(':* | & !'), undefined);
  });

  t.test('who has proved the same domain may be called so', async (t) => {
    await sql`insert into person (user_id, nick_name, verified_as) values
      (8, 'Acme', 'acme.example.com'), (9, 'Acme', 'other.example.com')`.execute(db);
    t.equal(await resembled('Acme Design', 8), undefined);
    t.match(await resembled('Acme Design', 9), { isSame: true });
  });

  t.test('a plugin called so is told to its publisher and the reviewer', async (t) => {
    const form = () => pluginForm({ name: 'Acme Design Official', code: code() });
    const dry = await send(form(), { query: '?dry_run=1' });
    const warning = {
      code: 'VERIFIED_NAME',
      severity: 'warning',
      pointer: '/name/en-US',
      message: 'The name is close to that of Acme Design, a verified publisher.',
      params: { publisher: 'Acme Design', handle: 'acme-works' },
    };
    t.hasStrict(
      Object(dry.json).data.findings.find((one: { code: string }) => one.code === 'VERIFIED_NAME'),
      warning,
    );
    const { plugin_key, findings } = await sent(form());
    t.hasStrict(
      findings.find((one) => one.code === 'VERIFIED_NAME'),
      warning,
    );
    const { rows } = await pool.query('select findings from submission order by id desc limit 1');
    t.hasStrict(
      rows[0].findings.find((one: { code: string }) => one.code === 'VERIFIED_NAME'),
      warning,
    );
    await pass(plugin_key);
    const change = pluginForm({ plugin_key, version: '1.1.0', name: undefined, code: code() });
    t.notOk(
      (await sent(change)).findings.some((one) => one.code === 'VERIFIED_NAME'),
      'unchanged names are not',
    );
    const own = await publish(VERIFIED, 'Acme Design', pluginForm({ name: 'Acme Design', code: code() }));
    t.equal(own.status, 200);
    t.notOk(own.json.data.findings.some((one: { code: string }) => one.code === 'VERIFIED_NAME'));
    const [item] = await importBatch(community, { files: [['a.json', packageOf({ name: 'Acme Design' })]] });
    t.match(item, { ok: true });
    t.ok(
      item?.warnings.some((one) => one.code === 'VERIFIED_NAME'),
      'in a batch too',
    );
  });

  t.test('who is called so publishes nothing under this name', async (t) => {
    const refused = await publish(20, 'Acme Dеsign', pluginForm({ name: 'Something', code: code() }));
    t.hasStrict(refused, {
      status: 422,
      json: {
        code: 'PUBLISHER_NAME_TAKEN',
        errors: [
          {
            code: 'PUBLISHER_NAME_TAKEN',
            pointer: '',
            message:
              'Your name Acme Dеsign looks like that of Acme Design, a verified publisher. Choose another one.',
            params: { name: 'Acme Dеsign', publisher: 'Acme Design', handle: 'acme-works' },
          },
        ],
      },
    });
    const near = await publish(20, 'Acme Desgn', pluginForm({ name: 'Something', code: code() }));
    t.equal(near.status, 200, 'a letter less is for the reviewer to judge');
    t.ok(near.json.data.findings.some((one: { code: string }) => one.code === 'PUBLISHER_NAME_ALIKE'));
    await pass(near.json.data.plugin_key);
    const known = await publish(20, 'Acme Design', pluginForm({ name: 'Another', code: code() }));
    t.equal(known.status, 200, 'whose plugins are public is not locked out');
    t.ok(known.json.data.findings.some((one: { code: string }) => one.code === 'PUBLISHER_NAME_ALIKE'));
    await sql`insert into person (user_id, nick_name, verified_as) values (21, 'Acme Design', '')`.execute(
      db,
    );
    const verified = await publish(21, 'Acme Design', pluginForm({ name: 'A third', code: code() }));
    t.equal(verified.status, 200, 'who is verified may be called as they are');
    t.notOk(
      verified.json.data.findings.some((one: { code: string }) => one.code.startsWith('PUBLISHER_NAME')),
    );
  });

  t.test('a handle that looks like one is refused', async (t) => {
    const change = async (userId: number, handle: string) =>
      ask(url, 'publisher/profile', {
        method: 'PUT',
        headers: await community.bearer(userId),
        body: { handle, about: {}, default_lang: 'en-US', links: [] },
      });
    for (const handle of ['acme-design', 'acrnedesign', 'example']) {
      const { status, json } = await change(STRANGER, handle);
      t.strictSame(
        [status, json],
        [
          422,
          {
            code: 'HANDLE_VERIFIED',
            message: 'This handle looks like the name of a verified publisher. Choose another one.',
          },
        ],
        handle,
      );
    }
    t.equal((await change(STRANGER, 'acme-fans')).status, 200);
  });

  t.test('are forgotten with the mark, and with the account', async (t) => {
    await verify(null);
    await flushAll(db);
    t.equal(await resembled('Acme Design'), undefined);
    await verify('');
    await flushAll(db);
    t.match(await resembled('Acme Design'), { isSame: true });
    t.equal(await resembled('Example'), undefined, 'without a domain there is no name of it');
    await sql`update person set verified_as = null, nick_name = '', deleted_at = now()
      where user_id = ${VERIFIED}`.execute(db);
    const { rows } = await pool.query(
      `select user_id from publisher_search where user_id = $1 union all select user_id from verified_name where user_id = $1`,
      [VERIFIED],
    );
    t.equal(rows.length, 0);
  });
});
