import t from 'tap';
import { contract, type Operation } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { testCommunity } from '../support/community.ts';

const community = await testCommunity(t);
const { app } = community;
const routes = (Object.entries(contract) as [Operation, Route][]).filter(
  ([, route]) => route.service === 'community',
);

function call(route: Route, headers: Record<string, string> = {}) {
  const url = route.path.replace('{key}', 'no-such-plugin').replace('{name}', `${'0'.repeat(64)}.webp`);
  return app.inject({ method: route.method, url, headers });
}

for (const [name, route] of routes) {
  t.test(`${name} is registered`, async (t) => {
    t.ok(app.hasRoute({ method: route.method, url: route.path.replace(/\{(\w+)\}/g, ':$1') }));
  });
  if (route.access === 'all') continue;

  t.test(`${name} refuses who is not signed in`, async (t) => {
    const response = await call(route);
    t.equal(response.statusCode, 401);
    t.match(response.json(), { code: 'UNAUTHENTICATED', message: 'Sign in to continue.' });
    t.equal(response.headers['www-authenticate'], 'Bearer');
  });
  if (route.access === 'user') continue;

  t.test(`${name} refuses who has no role`, async (t) => {
    const response = await call(route, await community.bearer(7, 0));
    t.equal(response.statusCode, 403);
    t.match(response.json(), { code: 'FORBIDDEN' });
  });

  for (const role of [1, 2] as const) {
    t.test(`${name} lets role ${role} in`, async (t) => {
      const response = await call(route, await community.bearer(7, role));
      const isMissing = response.statusCode === 404 && response.json().code === 'NOT_FOUND';
      t.notOk(isMissing || [401, 403].includes(response.statusCode), String(response.statusCode));
    });
  }
}

t.test('members may publish where the setting says so, and still not review', async (t) => {
  const open = await testCommunity(t, { publishers: 'members' });
  const member = await open.bearer(7, 0);
  const publish = await open.app.inject({ method: 'POST', url: '/api/cmt/plugin', headers: member });
  const review = await open.app.inject({ url: '/api/cmt/plugin/audit/list', headers: member });
  t.equal(publish.statusCode, 415, 'let in, and asked for a form');
  t.equal(review.statusCode, 403);
});

t.test('a path that the contract does not know is a 404 with the envelope', async (t) => {
  const response = await app.inject('/api/cmt/plugin/nothing-here');
  t.equal(response.statusCode, 404);
  t.same(response.json(), { code: 'NOT_FOUND', message: 'Nothing was found here.' });
});
