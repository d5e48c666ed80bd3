import t from 'tap';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';

const routes: [string, Route][] = Object.entries(contract);

/** Method and path of every marketplace call of specification section 7. */
const SPECIFIED = [
  'GET /api/cmt/manager/verify',
  'GET /api/cmt/plugin/list',
  'GET /api/cmt/plugin/tag/list',
  'GET /api/cmt/plugin',
  'GET /api/cmt/plugin/recommendation/list',
  'POST /api/cmt/plugin/user',
  'GET /api/cmt/plugin/audit',
  'DELETE /api/cmt/plugin/user',
  'POST /api/cmt/plugin/user/praise',
  'POST /api/cmt/plugin/view',
  'POST /api/cmt/plugin',
  'PUT /api/cmt/plugin',
  'DELETE /api/cmt/plugin',
  'GET /api/cmt/plugin/audit/list',
  'POST /api/cmt/plugin/audit/status',
  'POST /api/cmt/plugin/recommendation/publish',
  'PUT /api/cmt/plugin/silent_install',
  'POST /api/cmt/plugin/user/new/silent',
  'GET /api/cmt/manager/plugin/{key}/download',
  'POST /api/cmt/manager/plugins/upload',
  'POST /api/cmt/plugin/resource_state',
  'PUT /api/cmt/plugin/resource_state/disable',
  'GET /api/cmt/plugin/resource_state/list',
  'GET /api/cmt/plugin-banner/all',
  'PUT /api/cmt/manager/plugin-banner',
  'DELETE /api/cmt/manager/plugin-banner',
  'GET /api/cmt/manager/qr-code/list',
  'GET /api/cmt/manager/space-setting/iconfont',
  'PUT /api/cmt/manager/space-setting/iconfont',
  'GET /api/cmt/srv/config/pexels',
  'POST /api/cmt/srv/config/pexels',
  'GET /api/cmt/activity/activity/info',
];

t.test('every call of the specification is in the contract', async (t) => {
  const written = new Set(routes.map(([, route]) => `${route.method} ${route.path}`));
  t.strictSame(
    SPECIFIED.filter((call) => !written.has(call)),
    [],
  );
  t.equal(written.size, routes.length, 'no method and path twice');
});

t.test('path parameters are described', async (t) => {
  for (const [name, route] of routes) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    t.strictSame(Object.keys(route.params?.properties ?? {}), inPath, name);
  }
});

t.test('only public reads may be cached for all users', async (t) => {
  for (const [name, route] of routes.filter(([, route]) => route.cache !== undefined)) {
    t.equal(route.method, 'GET', name);
    t.equal(route.access, 'all', name);
  }
});

t.test('every route returns data or a file', async (t) => {
  for (const [name, route] of routes) t.equal(route.data === undefined, route.file === true, name);
});
