import t from 'tap';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { type BadCall, badCallsOf, complaintOf } from '../support/bad-texts.ts';
import { testCommunity } from '../support/community.ts';
import { addPlugin } from './add-plugin.ts';
import { type Ask, ask } from './ask.ts';
import { formOf, type Parts } from './publishing/publish/form-parts.ts';

const community = await testCommunity(t);
const { db, url } = community;
await addPlugin(db, { key: 'good-plugin' });
const headers = await community.bearer(7);
const admin = await community.bearer(8, 2);
/** No text in PostgreSQL holds the character NUL. */
const NUL = 'a\u0000b';

type Case = [title: string, path: string, call: Ask, status: number, code: string];
const cases: Case[] = [
  ['an unknown tag', 'plugin/list?tag_id=4711', {}, 404, 'TAG_NOT_FOUND'],
  ['an unknown tag in a search', 'plugin/list?tag_id=4711&keyword=a', {}, 404, 'TAG_NOT_FOUND'],
  ['a tag that is no number', 'plugin/list?tag_id=first', {}, 400, 'VALIDATION_FAILED'],
  ['a negative tag', 'plugin/list?tag_id=-1', {}, 400, 'VALIDATION_FAILED'],
  ['a tag beyond the integers', 'plugin/list?tag_id=2147483648', {}, 400, 'VALIDATION_FAILED'],
  ['an unknown sort', 'plugin/list?sort=3', {}, 400, 'VALIDATION_FAILED'],
  ['a sort of another type', 'plugin/list?sort=popular', {}, 400, 'VALIDATION_FAILED'],
  ['a limit of nothing', 'plugin/list?limit=0', {}, 400, 'VALIDATION_FAILED'],
  ['a limit above the largest page', 'plugin/list?limit=101', {}, 400, 'VALIDATION_FAILED'],
  ['an over-long keyword', `plugin/list?keyword=${'x'.repeat(65)}`, {}, 400, 'VALIDATION_FAILED'],
  ['a cursor that is none', 'plugin/list?cursor=abc', {}, 400, 'BAD_CURSOR'],
  ['a cursor of odd characters', 'plugin/list?cursor=%F0%9F%98%80', {}, 400, 'BAD_CURSOR'],
  ['an empty cursor', 'plugin/list?cursor=', {}, 400, 'VALIDATION_FAILED'],
  ['an over-long cursor', `plugin/list?cursor=${'A'.repeat(201)}`, {}, 400, 'VALIDATION_FAILED'],
  ['no plugin key', 'plugin', {}, 400, 'VALIDATION_FAILED'],
  ['a malformed plugin key', "plugin?plugin_key=x'%20or%20''='", {}, 400, 'VALIDATION_FAILED'],
  ['an unknown plugin key', 'plugin?plugin_key=no-such-plugin', {}, 404, 'PLUGIN_NOT_FOUND'],
  [
    'versions of an unknown plugin',
    'plugin/version/list?plugin_key=no-such-plugin',
    {},
    404,
    'PLUGIN_NOT_FOUND',
  ],
  ['an unknown activity', 'activity/activity/info?activity_id=31', {}, 404, 'ACTIVITY_NOT_FOUND'],
  ['no activity', 'activity/activity/info', {}, 400, 'VALIDATION_FAILED'],
  ['a negative page', 'plugin/recommendation/list?page=-1', {}, 400, 'VALIDATION_FAILED'],
  [
    'installing an unknown plugin',
    'plugin/user',
    { headers, body: { plugin_key: 'no-such-plugin' } },
    404,
    'PLUGIN_NOT_FOUND',
  ],
  ['installing nothing', 'plugin/user', { headers, body: {} }, 400, 'VALIDATION_FAILED'],
  [
    'a key of another type',
    'plugin/user',
    { headers, body: { plugin_key: 12345678 } },
    400,
    'VALIDATION_FAILED',
  ],
  ['a body that is a list', 'plugin/user', { headers, body: ['good-plugin'] }, 400, 'VALIDATION_FAILED'],
  ['a body that is null', 'plugin/user', { headers, body: null }, 400, 'VALIDATION_FAILED'],
  ['no body', 'plugin/user', { headers, method: 'POST' }, 400, 'VALIDATION_FAILED'],
  [
    'a praise of 0',
    'plugin/user/praise',
    { headers, body: { plugin_key: 'good-plugin', praise: 0 } },
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a praise in quotes',
    'plugin/user/praise',
    { headers, body: { plugin_key: 'good-plugin', praise: '1' } },
    400,
    'VALIDATION_FAILED',
  ],
  [
    'praise for an unknown plugin',
    'plugin/user/praise',
    { headers, body: { plugin_key: 'no-such-plugin', praise: 1 } },
    404,
    'PLUGIN_NOT_FOUND',
  ],
  [
    'a view of an unknown plugin',
    'plugin/view',
    { body: { plugin_key: 'no-such-plugin' } },
    404,
    'PLUGIN_NOT_FOUND',
  ],
  ['NUL in a keyword', 'plugin/list?keyword=a%00b', {}, 400, 'VALIDATION_FAILED'],
  ...['action', 'target_kind', 'target_id'].map(
    (field): Case => [
      `NUL in the audit log's ${field}`,
      `manager/audit-trail/list?${field}=a%00b`,
      { headers: admin },
      400,
      'VALIDATION_FAILED',
    ],
  ),
  ...['publisher', 'keyword'].flatMap((field): Case[] =>
    ['plugin/audit/list', 'manager/plugin/list'].map((list) => [
      `NUL in the ${field} of ${list}`,
      `${list}?${field}=%00`,
      { headers: admin },
      400,
      'VALIDATION_FAILED',
    ]),
  ),
  [
    'NUL in a version to download',
    'manager/plugin/good-plugin/download?version=1%00',
    { headers: admin },
    400,
    'VALIDATION_FAILED',
  ],
  [
    'NUL in the name of a package to match',
    'manager/plugins/match',
    { headers: admin, body: { packages: [{ external_id: 'x', name: NUL }] } },
    400,
    'VALIDATION_FAILED',
  ],
  [
    'NUL in the id of a package to match',
    'manager/plugins/match',
    { headers: admin, body: { packages: [{ external_id: NUL, name: 'x' }] } },
    400,
    'VALIDATION_FAILED',
  ],
  [
    'NUL in the link of a slot',
    'plugin/resource_state',
    {
      headers: admin,
      body: {
        plugin_key: 'good-plugin',
        link: `/plugins/${NUL}`,
        start_at: '2030-01-01T00:00:00Z',
        end_at: '2030-01-02T00:00:00Z',
      },
    },
    400,
    'VALIDATION_FAILED',
  ],
  [
    'NUL in the reason of a report',
    'plugin/report',
    { headers, body: { plugin_key: 'good-plugin', kind: 'other', reason: NUL } },
    400,
    'VALIDATION_FAILED',
  ],
  ['a file name that is none', 'media/..%2F..%2Fetc%2Fpasswd', {}, 400, 'VALIDATION_FAILED'],
  ['an unknown file', `media/${'0'.repeat(64)}-320.webp`, {}, 404, 'MEDIA_NOT_FOUND'],
];

for (const [title, path, call, status, code] of cases) {
  t.test(title, async (t) => {
    const answer = await ask(url, path, call);
    t.equal(answer.status, status);
    t.match(answer.json, { code, message: String });
    t.match(answer.headers.get('content-type'), /application\/json/);
  });
}

async function post(contentType: string | undefined, body: string): Promise<[number, unknown]> {
  const response = await fetch(`${url}/api/cmt/plugin/user`, {
    method: 'POST',
    headers: { ...headers, ...(contentType && { 'content-type': contentType }) },
    body: new TextEncoder().encode(body),
  });
  return [response.status, await response.json()];
}

t.test('a body without, or of another, content type', async (t) => {
  const body = '{"plugin_key":"good-plugin"}';
  t.hasStrict(await post(undefined, body), [415, { code: 'UNSUPPORTED_MEDIA_TYPE' }]);
  t.hasStrict(await post('text/plain', body), [415, { code: 'UNSUPPORTED_MEDIA_TYPE' }]);
  t.hasStrict(await post('application/x-www-form-urlencoded', 'plugin_key=good-plugin'), [
    415,
    { code: 'UNSUPPORTED_MEDIA_TYPE' },
  ]);
});

t.test('a body that is no JSON, or too large', async (t) => {
  t.hasStrict(await post('application/json', '{"plugin_key":'), [400, { code: 'MALFORMED_BODY' }]);
  t.hasStrict(await post('application/json', ''), [400, { code: 'MALFORMED_BODY' }]);
  t.hasStrict(await post('application/json', JSON.stringify({ plugin_key: 'x'.repeat(70_000) })), [
    413,
    { code: 'BODY_TOO_LARGE' },
  ]);
});

t.test('R 10.26: a body that is nested too deeply', async (t) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const) {
    const nested = (levels: number): string => `{"more":${open.repeat(levels)}1${close.repeat(levels)}}`;
    t.hasStrict(await post('application/json', nested(10_000).slice(0, 60_000)), [
      400,
      { code: 'BODY_TOO_DEEP', message: 'The request body is nested too deeply.' },
    ]);
    t.hasStrict(await post('application/json', nested(40)), [400, { code: 'BODY_TOO_DEEP' }]);
    t.hasStrict(await post('application/json', nested(15)), [400, { code: 'VALIDATION_FAILED' }]);
  }
  const text = JSON.stringify({ plugin_key: `${'['.repeat(100)}\\"{{` });
  t.hasStrict(await post('application/json', text), [400, { code: 'VALIDATION_FAILED' }], 'not in a text');
});

t.test('R 10.28: no text of any call is an internal error', async (t) => {
  const all = await testCommunity(t, { publishers: 'members' });
  await addPlugin(all.db, { key: 'good-plugin', publisherId: 8 });
  const by = { ...(await all.bearer(8, 1)), 'x-page-path': '/plugins/backstage-index/audit-list' };
  async function send({ method, url, body, isForm }: BadCall): Promise<[number, string]> {
    const isJson = body !== undefined && !isForm;
    const form = isForm ? formOf(partsOf(body)) : undefined;
    const response = await fetch(`${all.url}${url}`, {
      method,
      headers: { ...by, ...(isJson && { 'content-type': 'application/json' }) },
      ...(isJson && { body: JSON.stringify(body) }),
      ...(form && { body: form }),
    });
    return [response.status, await response.text()];
  }
  const known = { plugin_key: 'good-plugin', default_lang: 'en-US', is_withdrawn: true };
  const wrong: string[] = [];
  let calls = 0;
  for (const route of Object.values<Route>(contract).filter(({ service }) => service === 'community')) {
    for (const call of badCallsOf(route, known)) {
      calls += 1;
      wrong.push(...complaintOf(call, ...(await send(call))));
    }
  }
  t.strictSame(wrong, []);
  t.ok(calls > 500, String(calls));
});

/** Fields of a form: what is no text is sent as JSON. */
function partsOf(body: unknown): Parts {
  const fields = Object.entries(Object(body));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

t.test('a refusal names the place', async (t) => {
  const answer = await ask(url, 'plugin/list?sort=9&limit=0');
  t.hasStrict(answer.json, { errors: [{ pointer: '/sort' }, { pointer: '/limit' }] });
});

t.test('after all of it nothing is stored and the service answers', async (t) => {
  const [installs, likes] = await Promise.all(
    ['plugin_install', 'plugin_like'].map((table) => community.pool.query(`select from ${table}`)),
  );
  t.equal(installs?.rowCount, 0);
  t.equal(likes?.rowCount, 0);
  t.equal((await ask(url, 'plugin/list')).status, 200);
});
