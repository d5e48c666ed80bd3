import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Type } from 'typebox';
import { contract } from '../../shared/contract.ts';
import { type Route, route } from '../../shared/route.ts';
import type { WireOperation } from '../../web/api/wire-operation.ts';
import { operationTable, VISITOR_OPERATIONS, wireOperation } from '../../web/build/operations-plugin.ts';
import { pageRoutes } from '../../web/routes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const base = { service: 'community', access: 'all', summary: 'A call' } as const;

t.test('every operation of the contract is in the table with its address', async (t) => {
  const table = operationTable(contract);
  t.strictSame(Object.keys(table), Object.keys(contract));
  const addressOf = ({ data: _, ...address }: WireOperation) => address;
  t.strictSame(table.listPlugins && addressOf(table.listPlugins), {
    method: 'GET',
    path: '/api/cmt/plugin/list',
    in: 'query',
    open: true,
    params: [],
    paged: true,
  });
  t.strictSame(table.uninstallPlugin && addressOf(table.uninstallPlugin), {
    method: 'DELETE',
    path: '/api/cmt/plugin/user',
    in: 'body',
    open: false,
    params: [],
    paged: false,
  });
});

t.test('a code of success of its own is told', async (t) => {
  t.equal(operationTable(contract).readActivity?.successCode, 200);
  t.notHas(operationTable(contract).listPlugins, { successCode: 200 });
});

t.test('what answers data says how they are read', async (t) => {
  for (const [operation, route] of Object.entries<Route>(contract)) {
    t.equal(operationTable(contract)[operation]?.data === undefined, route.data === undefined, operation);
  }
});

t.test('every {key} of a path is a parameter', async (t) => {
  for (const [operation, { path, params }] of Object.entries(operationTable(contract))) {
    const keys = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    t.strictSame(params, keys, operation);
  }
});

t.test('a multipart route is marked as such', async (t) => {
  const upload = route({
    ...base,
    method: 'POST',
    path: '/api/cmt/x',
    multipart: true,
    body: Type.Object({ file: Type.String() }),
  });
  t.equal(wireOperation(upload).in, 'multipart');
});

t.test('no schema is in the table', async (t) => {
  t.notMatch(JSON.stringify(operationTable(contract)), /"type"|"properties"|"pattern"/);
});

t.test('what visitors call comes with their pages', async (t) => {
  const folders =
    'features/{plugins,session,banners,community,consent},layout,pages/{help,home,plugin,protocol,sign-in,bind}';
  const called = new Set<string>();
  /** Calls only for who is signed in: comes with the account's menu, or acts on what somebody has installed. */
  const isSignedIn = (file: string) => /\/session\/notices-|\/plugins\/update-offer\.tsx$/.test(file);
  const files = globSync(`web/{${folders}}/**/*.{ts,tsx}`, { cwd: ROOT });
  for (const file of files.filter((file) => !isSignedIn(file))) {
    for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/'(\w+)'/g))
      if (Object.hasOwn(contract, name)) called.add(name);
  }
  t.strictSame([...called].toSorted(), VISITOR_OPERATIONS.toSorted());
  for (const page of pageRoutes) {
    const url = new URL('https://square.example/plugins/');
    for (const { operation } of page.needs?.({ url, params: {} }) ?? [])
      t.ok(VISITOR_OPERATIONS.includes(operation), `${page.path} needs ${operation}`);
  }
});
