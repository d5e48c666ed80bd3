import t from 'tap';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { testCommunityRights } from './ask-community.ts';
import { RIGHTS } from './table.ts';

t.test('the contract and the table name the same calls, with the same access', async (t) => {
  const inTable = new Map(RIGHTS.map(({ call, access }) => [call, access]));
  const inContract = new Map(
    Object.values<Route>(contract).map(({ method, path, access }) => [`${method} ${path}`, access]),
  );
  t.strictSame([...inContract].sort(), [...inTable].sort());
});

t.test('exactly two calls accept a publish token', async (t) => {
  const marked = Object.values<Route>(contract).filter(({ publishToken }) => publishToken);
  t.strictSame(
    marked.map(({ method, path }) => `${method} ${path}`),
    ['POST /api/cmt/plugin', 'PUT /api/cmt/plugin'],
  );
});

await testCommunityRights(t);
