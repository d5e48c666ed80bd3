import { memberRoutes } from '../../../shared/routes/member.ts';
import { loginParameters } from '../../support/browser.ts';
import type { Check } from '../check.ts';
import { same } from '../expect.ts';

type Write = { method: string; path: string };

const { inviteMember, changeMemberRole, disableMember } = memberRoutes;
/** What bodies have besides the member and the proof. */
const MORE = new Map<Write, object>([
  [inviteMember, { email: 'invited@example.org', nick_name: 'Invited' }],
  [changeMemberRole, { role: 2 }],
  [disableMember, { is_disabled: true }],
]);
/** Every change of a member in the contract. */
const WRITES: readonly Write[] = Object.values(memberRoutes).filter(({ method }) => method !== 'GET');

/** What a stolen session of a super administrator can do. */
export const memberChecks: readonly Check[] = [
  {
    id: 'members-proof',
    title: 'the session of a super administrator changes no member without a proof, and never its own user',
    async run({ realUserService, start, browser, dialect }) {
      const service = await realUserService();
      const target = await start({ identity: service.url, settings: service.settings });
      const opened = browser(target);
      const parameters = loginParameters(await opened.visit(`${dialect.loginPath}%2Fplugins%2F`));
      const callback = new URL(parameters.redirect_uri ?? '');
      callback.searchParams.set('code', await service.codeFor(parameters));
      await opened.visit(callback.pathname + callback.search, { site: 'same-origin' });
      const { admin } = service;
      const member = await service.newMember();
      const before = await service.stored();
      const answerTo = async (write: Write, proof: object, user_id = member) => {
        const whose = write === inviteMember ? {} : { user_id };
        const body = JSON.stringify({ ...whose, ...MORE.get(write), ...proof });
        const answer = await opened.call(write.path, { method: write.method, body });
        return [answer.status, answer.json().code];
      };

      for (const write of WRITES) {
        const call = `${write.method} ${write.path}`;
        const refused = [403, 'REAUTHENTICATION_REQUIRED'];
        same(await answerTo(write, {}), refused, `${call} without a proof`);
        same(await answerTo(write, { code: '123456' }), refused, `${call} with a code that nobody has`);
        if (write === inviteMember) continue;
        const own = await answerTo(write, { password: admin.password }, admin.userId);
        same(own, [403, 'OWN_ACCOUNT'], `${call} of oneself`);
      }
      const wrong = await answerTo(inviteMember, { password: 'not this one' });
      same(wrong, [422, 'PASSWORD_WRONG'], 'an invitation with a wrong password');
      same(await service.stored(), before, 'accounts, sessions, links and the audit trail');
      for (const write of WRITES) {
        const done = await answerTo(write, { password: admin.password }, await service.newMember());
        same(done, [200, 0], `${write.method} ${write.path} with a proof`);
      }
    },
  },
];
