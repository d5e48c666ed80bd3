import t from 'tap';
import { Type } from 'typebox';
import { contract } from '../../shared/contract.ts';
import { type Route, route } from '../../shared/route.ts';
import { wireOperation } from '../../web/api/wire-operation.ts';
import { operationTables } from '../../web/build/operations.ts';

const { operations, shapes } = operationTables(contract);
const base = { service: 'community', access: 'all', summary: 'A call' } as const;

t.test('every operation of the contract is in the table with its URL', async (t) => {
  t.strictSame(Object.keys(operations), Object.keys(contract));
  t.strictSame(operations.listPlugins, {
    method: 'GET',
    path: '/api/cmt/plugin/list',
    in: 'query',
    open: true,
    params: [],
  });
  t.strictSame(operations.uninstallPlugin, {
    method: 'DELETE',
    path: '/api/cmt/plugin/user',
    in: 'body',
    open: false,
    params: [],
  });
});

t.test('an operation’s own success code is in the table', async (t) => {
  t.equal(operations.readActivity?.successCode, 200);
  t.notHas(operations.listPlugins, { successCode: 200 });
});

t.test('operations with data have a response shape', async (t) => {
  for (const [operation, route] of Object.entries<Route>(contract)) {
    t.equal(shapes[operation] === undefined, route.data === undefined, operation);
  }
});

t.test('every {key} of a path is a parameter', async (t) => {
  for (const [operation, { path, params }] of Object.entries(operations)) {
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

t.test('the tables contain no schema', async (t) => {
  t.notMatch(JSON.stringify({ operations, shapes }), /"type"|"properties"|"pattern"/);
});
