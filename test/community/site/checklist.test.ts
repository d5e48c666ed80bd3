import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { until } from '../../support/until.ts';
import { addPlugin, addTag } from '../add-plugin.ts';
import { ask, dataOf } from '../ask.ts';

const OPTIONS = {
  methods: [],
  document_services: [],
  sign_up: true,
  sign_up_by_mail: true,
  password_min: 8,
};
const EMPTY = {
  tags: false,
  recommended: false,
  banners: false,
  works: false,
  activity: false,
  qr_code: false,
  protocol: null,
  mail: null,
};

/** A user service that answers this to whatever it is asked. */
async function userService(t: Test, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function checklist(t: Test, options: Parameters<typeof testCommunity>[1]) {
  const community = await testCommunity(t, options);
  const headers = await community.bearer(1, 2);
  const read = async () =>
    dataOf(await ask(community.url, 'manager/checklist', { headers }), contract.readChecklist.data);
  return { ...community, read };
}

t.test('each item counts once visitors see it', async (t) => {
  const { db, pool, read } = await checklist(t, {});
  t.strictSame(await read(), EMPTY);
  const key = 'c'.repeat(64);
  await pool.query(
    `insert into picture (picture_key, width, height, widths) values ($1, 640, 480, '{320,640}')`,
    [key],
  );
  const becomes = async (fills: string, field: keyof typeof EMPTY, hides: string) => {
    await pool.query(fills);
    t.hasStrict(await read(), { [field]: true }, fills);
    await pool.query(hides);
    t.hasStrict(await read(), { [field]: false }, hides);
  };
  await addTag(db, 'maps');
  t.strictSame(await read(), { ...EMPTY, tags: true });
  await becomes('select', 'tags', 'update tag set is_hidden = true');
  await addPlugin(db, { key: 'good-plugin' });
  await becomes(
    'insert into recommendation (plugin_id, position, created_by) select id, 0, 1 from plugin',
    'recommended',
    'update plugin set is_hidden = true',
  );
  await becomes(
    `insert into banner (redirect_url, default_lang, picture_key) values ('/a', 'en-US', '${key}')`,
    'banners',
    `update banner set redirect_url = ''`,
  );
  await becomes(
    `insert into featured_work (title, default_lang, author, url, picture_key)
      values ('{}', 'en-US', 'Ada', '/a', '${key}')`,
    'works',
    'update featured_work set is_hidden = true',
  );
  await becomes('insert into activity (id) values (30)', 'activity', 'update activity set is_hidden = true');
  await becomes(
    `insert into qr_code (name, is_contact) values ('Group', true)`,
    'qr_code',
    'update qr_code set is_contact = false',
  );
});

t.test('reports if the user service sends mail, or null if unknown', async (t) => {
  const answer = (reset: unknown) => JSON.stringify({ code: 0, message: 'ok', data: { ...OPTIONS, reset } });
  const cases: [status: number, body: string, mail: boolean | null][] = [
    [200, answer('mail'), true],
    [200, answer('administrator'), false],
    [200, answer(null), null],
    [404, '{"code":404}', null],
    [200, '<!doctype html>', null],
    [200, '{"data":{"reset":"mail"}}', null],
    [500, answer('mail'), null],
  ];
  for (const [status, body, mail] of cases) {
    const { read } = await checklist(t, { identityUrl: await userService(t, status, body) });
    t.hasStrict(await read(), { mail }, `${status} ${body}`);
  }
  const nobody = await checklist(t, { identityUrl: '' });
  t.hasStrict(await nobody.read(), { mail: null }, 'there is nobody to ask');
  const away = await checklist(t, { identityUrl: 'http://127.0.0.1:1' });
  t.hasStrict(await away.read(), { mail: null }, 'it is away');
});

t.test('reports if the deployment has its own protocol texts', async (t) => {
  const own = await checklist(t, { hasOwnProtocol: true });
  t.hasStrict(await own.read(), { protocol: true });
  const ours = await checklist(t, { hasOwnProtocol: false });
  t.hasStrict(await ours.read(), { protocol: false });
});

t.test('warns at the start without tags, and reports when there are some', async (t) => {
  const told: boolean[] = [];
  const lines: string[] = [];
  const { db, pool } = await testCommunity(t, {
    onTags: (hasTags) => told.push(hasTags),
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  });
  const warned = () => lines.filter((line) => line.includes('there are no tags to publish under')).length;
  t.strictSame(told, [false]);
  t.equal(warned(), 1);
  await addTag(db, 'maps');
  await until(() => told.length >= 2);
  await pool.query('update tag set is_hidden = true');
  await until(() => told.length >= 3);
  t.strictSame(told, [false, true, false]);
  t.equal(warned(), 2, 'hidden ones are none');
});
