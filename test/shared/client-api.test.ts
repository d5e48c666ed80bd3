import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { type Described, narrowings } from '../support/narrowings.ts';

/**
 * The Client API of the last release. A release stores it again: `CLIENT_API=write node test/shared/client-api.test.ts`
 * (docs/releasing.md).
 */
const FILE = new URL('../fixtures/client-api.json', import.meta.url);

const described = (): Record<string, Described> => {
  const calls = Object.entries<Route>(contract).filter(([, { client }]) => client);
  const data = calls.map(([name, { method, path, access, file, params, query, body, data }]) => [
    name,
    { method, path, access, file, params, query, body, data },
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(data)));
};

if (process.env.CLIENT_API === 'write') writeFileSync(FILE, `${JSON.stringify(described(), null, 1)}\n`);

t.test('nothing of the Client API of the last release is taken away or narrowed', async (t) => {
  const released: Record<string, Described> = JSON.parse(readFileSync(FILE, 'utf8'));
  t.ok(Object.keys(released).length >= 12, 'calls are found');
  t.strictSame(narrowings(released, described()), []);
});

t.test('only reads of the community, and changes of what one has, are part of it', async (t) => {
  const calls = Object.values<Route>(contract).filter(({ client }) => client);
  t.strictSame(
    calls.filter(
      ({ service, access, method }) => service !== 'community' || (access === 'all' && method !== 'GET'),
    ),
    [],
  );
  t.strictSame([...new Set(calls.map(({ access }) => access))].sort(), ['all', 'user']);
});

t.test('what counts as taken away', async (t) => {
  const call: Described = {
    method: 'GET',
    path: '/a',
    access: 'all',
    query: {
      type: 'object',
      required: ['one'],
      properties: { one: { type: 'string', maxLength: 9 }, many: { enum: ['a', 'b'] } },
    },
    data: {
      type: 'object',
      required: ['list'],
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { state: { enum: ['on', 'off'] } } } },
      },
    },
  };
  const object = { type: 'object' };
  const string = { type: 'string' };
  const { query, data } = call;
  const cases: [title: string, after: Partial<Described>, found: string[]][] = [
    ['nothing', {}, []],
    ['more to send', { query: { ...query, properties: { ...query?.properties, new: string } } }, []],
    ['more to get', { data: { ...data, properties: { ...data?.properties, new: string } } }, []],
    [
      'a part to send where there was none',
      { body: { type: 'object', required: ['must'], properties: { may: string, must: string } } },
      ['call body/must: demanded'],
    ],
    ['another method', { method: 'POST' }, ['call: another address']],
    ['fewer callers', { access: 'user' }, ['call: fewer may call it']],
    [
      'a field to send, demanded',
      { query: { ...query, required: ['one', 'many'] } },
      ['call query/many: demanded'],
    ],
    [
      'a shorter text, and fewer values',
      { query: { ...query, properties: { one: { ...string, maxLength: 8 }, many: { enum: ['a'] } } } },
      ['call query/one: smaller maxLength', 'call query/many: no "b"'],
    ],
    [
      'a field to send',
      { query: { ...query, properties: { one: { ...string, maxLength: 9 } } } },
      ['call query/many: taken away'],
    ],
    ['a field to get', { data: { ...object, properties: {} } }, ['call data/list: taken away']],
    ['a field that may be missing', { data: { ...data, required: [] } }, ['call data/list: may be missing']],
    [
      'another type',
      { data: { ...data, properties: { list: object } } },
      [
        'call data/list: may be object',
        'call data/list: object instead of array',
        'call data/list/*: may be undefined',
      ],
    ],
    [
      'null where there was none',
      {
        data: { ...data, properties: { list: { anyOf: [data?.properties?.list ?? {}, { type: 'null' }] } } },
      },
      ['call data/list: may be null'],
    ],
  ];
  for (const [title, after, found] of cases) {
    const now = narrowings({ call }, { call: { ...call, ...after } });
    if (title === 'another type') t.strictSame(now.slice(0, 2), found.slice(0, 2), title);
    else t.strictSame(now, found, title);
  }
  t.strictSame(narrowings({ call }, {}), ['call: taken away']);
});
