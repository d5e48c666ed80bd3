import t from 'tap';
import { Type } from 'typebox';
import { contract } from '../../shared/contract.ts';
import { route } from '../../shared/route.ts';
import { operationTable, wireOperation } from '../../web/build/operations-plugin.ts';

const base = { service: 'community', access: 'all', summary: 'A call' } as const;

t.test('every operation of the contract is in the table with its address', async (t) => {
  const table = operationTable(contract);
  t.strictSame(Object.keys(table), Object.keys(contract));
  t.strictSame(table.listPlugins, {
    method: 'GET',
    path: '/api/cmt/plugin/list',
    in: 'query',
    open: true,
    params: [],
    paged: true,
  });
  t.strictSame(table.uninstallPlugin, {
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
