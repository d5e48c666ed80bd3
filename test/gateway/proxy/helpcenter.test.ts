import t from 'tap';
import { helpcenterPath, isAdminArea } from '../../../server/gateway/proxy/access.ts';
import { startGateway } from '../../support/gateway.ts';

t.test('the page path decides whether a page is in the admin area', async (t) => {
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

t.test('the upstream path of a call, and whether it needs an administrator', async (t) => {
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
  t.strictSame(to(`${base}/manager/a`, '/plugins/'), [`${base}/manager/a`, true], 'also without the header');
  t.strictSame(to(`${base}/a/Manager/b`, '/plugins/'), [`${base}/a/Manager/b`, true]);
  t.strictSame(to(`${base}/managers`, '/plugins/'), [`${base}/managers`, false]);
});

t.test('segments that a service could read as manager are treated as it, or refused', async (t) => {
  const gateway = await startGateway(t);
  gateway.helpcenter.otherwise(() => ({ made: true }));
  const member = gateway.browser();
  await member.signIn();
  const visitor = gateway.browser();
  for (const segment of [
    'manager%3Bx',
    'manager;x=1',
    'manager%20',
    '%20manager',
    'manager%3B',
    'Manager%20',
    'MANAGER.json',
    'manager.',
    '.manager',
    'manager+',
    'manager,x',
    'manager%C2%A0',
    'ma%E2%80%8Bnager',
    '%EF%BD%8D%EF%BD%81%EF%BD%8E%EF%BD%81%EF%BD%87%EF%BD%85%EF%BD%92',
  ]) {
    for (const path of [`/api/helpcenter/${segment}/article`, `/api/helpcenter/a/${segment}`]) {
      for (const browser of [member, visitor]) {
        const answer = await browser.call(path);
        t.equal(answer.status, 400, path);
        t.equal(answer.json().code, 'BAD_PATH');
      }
    }
  }
  for (const dots of ['..;', '..%3Bx', '.;', '%2e%2e%3b', '..%20', ';', ';x']) {
    const answer = await member.call(`/api/helpcenter/${dots}/cmt/plugin/list`);
    t.equal(answer.status, 400, dots);
  }
  for (const segment of ['Manager', 'MANAGER', '%4danager']) {
    t.equal((await member.call(`/api/helpcenter/${segment}/article`)).status, 403, segment);
  }
  t.strictSame(gateway.helpcenter.requests, []);
  for (const segment of [
    'managers',
    'manager-guide',
    'manager_2',
    'for-manager',
    'mismanager',
    'a;b',
    '...x',
  ]) {
    t.equal((await member.call(`/api/helpcenter/${segment}/article`)).status, 200, segment);
  }
});

t.test('requirement 35: manager calls need an administrator role from community', async (t) => {
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
  t.equal(byQuery.json().data.made, false, 'neither Referer nor query decide');
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
    'an unknown role is not an administrator',
  );
});
