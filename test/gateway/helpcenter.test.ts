import t from 'tap';
import { helpcenterPath, isAdminArea } from '../../server/gateway/proxy/helpcenter.ts';
import { startGateway } from '../support/gateway.ts';

t.test('the admin area, by the path of the page', async (t) => {
  for (const page of [
    '/plugins/backstage-index',
    '/plugins/backstage-index/audit-list',
    '/plugins/backstage-index?x=1',
    '/admin',
    '/plugins/admin/x',
    '/plugins/administration',
    '/plugins/%61dmin',
  ]) {
    t.equal(isAdminArea(page), true, page);
  }
  for (const page of [
    '/plugins/',
    '/plugins/backstage-indexes',
    '/x/plugins/backstage-index',
    '/plugins/?next=/admin',
    '/plugins/?x=/plugins/backstage-index',
    '/plugins/badmin',
    '/plugins/..%2fadmin',
    'admin',
    '',
    undefined,
  ]) {
    t.equal(isAdminArea(page), false, String(page));
  }
});

t.test('which path is asked for, and who may', async (t) => {
  const admin = '/plugins/backstage-index/audit-list';
  const to = (path: string, page: string) => {
    const { segments, adminOnly } = helpcenterPath(path.slice(1).split('/'), page);
    return [`/${segments.join('/')}`, adminOnly];
  };
  const base = '/api/helpcenter';
  t.strictSame(to(`${base}/a/b`, '/plugins/'), [`${base}/a/b`, false]);
  t.strictSame(to(`${base}/a/b`, admin), [`${base}/manager/a/b`, true]);
  t.strictSame(to(`${base}/user/admininfo`, admin), [`${base}/user/admininfo`, false]);
  t.strictSame(to(`${base}/upload/picture`, admin), [`${base}/upload/picture`, false]);
  t.strictSame(to(`${base}/user/admininfo/x`, admin), [`${base}/manager/user/admininfo/x`, true]);
  t.strictSame(to(`${base}/manager/a`, admin), [`${base}/manager/a`, true]);
  t.strictSame(
    to(`${base}/manager/a`, '/plugins/'),
    [`${base}/manager/a`, true],
    'without saying so as well',
  );
  t.strictSame(to(`${base}/a/Manager/b`, '/plugins/'), [`${base}/a/Manager/b`, true]);
  t.strictSame(to(`${base}/managers`, '/plugins/'), [`${base}/managers`, false]);
});

t.test('requirement 35: manager calls take an administrator, told by community', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.on('POST /api/helpcenter/manager/article', () => ({ made: true }));
  gateway.helpcenter.on('POST /api/helpcenter/article', () => ({ made: false }));
  const post = (browser: ReturnType<typeof gateway.browser>, path: string, page: string) =>
    browser.call(path, { method: 'POST', body: '{}', headers: { 'x-page-path': page } });
  const backstage = '/plugins/backstage-index/audit-list';

  const visitor = gateway.browser();
  t.equal((await post(visitor, '/api/helpcenter/article', backstage)).status, 401);
  t.equal((await post(visitor, '/api/helpcenter/article', '/plugins/')).status, 200);
  const member = gateway.browser();
  await member.signIn();
  const refused = await post(member, '/api/helpcenter/article', backstage);
  t.equal(refused.status, 403);
  t.equal(refused.json().code, 'FORBIDDEN');
  for (const path of ['/api/helpcenter/manager/article', '/api/%68elpcenter/%6danager/article']) {
    t.equal((await post(member, path, '/plugins/')).status, 403, path);
  }
  const byQuery = await member.call('/api/helpcenter/article?next=/manager', {
    method: 'POST',
    body: '{}',
    headers: { referer: 'http://localhost:8080/plugins/admin' },
  });
  t.equal(byQuery.json().data.made, false, 'neither Referer nor query count');
  t.strictSame(gateway.helpcenter.seen('POST /api/helpcenter/manager/article'), []);

  gateway.community.on('GET /api/cmt/manager/verify', () => ({ role: 1 }));
  const admin = gateway.browser();
  await admin.signIn();
  t.equal((await post(admin, '/api/helpcenter/article', backstage)).json().data.made, true);
  t.equal((await post(admin, '/api/%68elpcenter/article', backstage)).json().data.made, true);
  await gateway.community.stop();
  const unknown = gateway.browser();
  await unknown.signIn();
  t.equal(
    (await post(unknown, '/api/helpcenter/article', backstage)).status,
    403,
    'a role that is not told is none',
  );
});
