import { stubAnswer } from '../../support/stub-upstream.ts';
import type { Check, Context } from '../check.ts';
import { same } from '../expect.ts';

const ADMIN_PAGE = { 'x-page-path': '/plugins/backstage-index/audit-list' };
const VERIFY = 'GET /api/cmt/manager/verify';

/** The call that reached the help center, or the response if none did. */
async function reached(context: Context, person: number, path: string, headers: Record<string, string>) {
  const opened = await context.signedIn(person);
  context.upstream.requests.length = 0;
  const answer = await opened.call(path, { headers });
  const calls = context.upstream.requests.filter((seen) => `${seen.method} ${seen.path}` !== VERIFY);
  return calls.map(({ target }) => target)[0] ?? answer.status;
}

/** Path rewriting of the admin area. */
export const helpcenterChecks: readonly Check[] = [
  {
    id: 'R 10.13',
    title:
      'help-center paths are rewritten by decoded segments, for administrators, by nothing a page can forge',
    async run(context) {
      const role = (value: number) =>
        context.upstream.on(VERIFY, () => ({
          user_id: 7,
          nick_name: 'x',
          avatar_url: '',
          role: value,
          may_publish: false,
        }));
      role(2);
      for (const [path, target] of [
        ['/api/helpcenter/list', '/api/helpcenter/manager/list'],
        ['/%61pi/helpcenter/list', '/api/helpcenter/manager/list'],
        ['/api/%68elpcenter/list?next=/manager', '/api/helpcenter/manager/list?next=/manager'],
        ['/api/helpcenter/manager/list', '/api/helpcenter/manager/list'],
        ['/api/helpcenter/user/admininfo', '/api/helpcenter/user/admininfo'],
        ['/api/helpcenter/upload/picture', '/api/helpcenter/upload/picture'],
        ['/api/helpcenter/managers/list', '/api/helpcenter/manager/managers/list'],
      ] as const) {
        same(await reached(context, 7, path, ADMIN_PAGE), target, `${path} from the admin area`);
      }
      const elsewhere = { 'x-page-path': '/plugins/', referer: `${context.target.publicUrl}/plugins/admin` };
      for (const path of ['/api/helpcenter/list', '/api/helpcenter/list?from=/admin/manager']) {
        same(await reached(context, 7, path, elsewhere), path, `${path} from the home page`);
      }
      const visitor = context.browser();
      const unknown = await visitor.call('/api/helpcenter/list', { headers: ADMIN_PAGE });
      same(unknown.status, 401, 'a visitor in the admin area');
      role(0);
      for (const path of ['/api/helpcenter/list', '/api/helpcenter/manager/list']) {
        same(
          await reached(context, 8, path, ADMIN_PAGE),
          403,
          `${path} for somebody who is no administrator`,
        );
      }
      same(
        await reached(context, 9, '/api/helpcenter/%6danager/list', elsewhere),
        403,
        'a manager path by name',
      );
      context.upstream.on(VERIFY, () => stubAnswer(503, {}));
      same(await reached(context, 10, '/api/helpcenter/list', ADMIN_PAGE), 403, 'while the role is unknown');
    },
  },
];
