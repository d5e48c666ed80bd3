import t from 'tap';
import { contract, type Operation } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { testCommunity } from '../support/community.ts';

const community = await testCommunity(t);
const { app } = community;
const routes = (Object.entries(contract) as [Operation, Route][]).filter(
  ([, route]) => route.service === 'community',
);

for (const [name, route] of routes) {
  t.test(`${name} is registered`, async (t) => {
    t.ok(app.hasRoute({ method: route.method, url: route.path.replace(/\{(\w+)\}/g, ':$1') }));
  });
}

t.test('401 without a session, and 403 without the role', async (t) => {
  const anonymous = await app.inject('/api/cmt/plugin/audit/list');
  t.equal(anonymous.statusCode, 401);
  t.hasStrict(anonymous.json(), { code: 'UNAUTHENTICATED', message: 'Sign in to continue.' });
  t.equal(anonymous.headers['www-authenticate'], 'Bearer');
  const member = await app.inject({
    url: '/api/cmt/plugin/audit/list',
    headers: await community.bearer(7, 0),
  });
  t.equal(member.statusCode, 403);
  t.hasStrict(member.json(), { code: 'FORBIDDEN' });
});

t.test('members may publish if configured, but not review', async (t) => {
  const open = await testCommunity(t, { publishers: 'members' });
  const member = await open.bearer(7, 0);
  const publish = await open.app.inject({ method: 'POST', url: '/api/cmt/plugin', headers: member });
  const review = await open.app.inject({ url: '/api/cmt/plugin/audit/list', headers: member });
  t.equal(publish.statusCode, 415, 'let in, and asked for a form');
  t.equal(review.statusCode, 403);
});

t.test('an unknown path is 404 with the envelope', async (t) => {
  const response = await app.inject('/api/cmt/plugin/nothing-here');
  t.equal(response.statusCode, 404);
  t.strictSame(response.json(), { code: 'NOT_FOUND', message: 'Nothing was found here.' });
});
