import { accountRoutes } from '../../../shared/routes/account.ts';
import { memberRoutes } from '../../../shared/routes/member.ts';
import { publishTokenRoutes } from '../../../shared/routes/publish-token.ts';
import { toolRoutes } from '../../../shared/routes/tool.ts';
import { signedInAdmin } from '../admin.ts';
import type { Check } from '../check.ts';
import { same } from '../expect.ts';

type Call = { method: string; path: string };

const { inviteMember, changeMemberRole, disableMember } = memberRoutes;
const { registerTool, changeTool, removeTool } = toolRoutes;
const { createPublishToken } = publishTokenRoutes;
const { exportAccount } = accountRoutes;
const TOOL = {
  client_id: 'easel',
  client_name: 'Easel',
  redirect_uris: ['https://easel.example/'],
  grant_types: ['authorization_code'],
  scope_list: ['plugins:read'],
};
/** What bodies have besides the member and the proof. */
const MORE = new Map<Call, object>([
  [inviteMember, { email: 'invited@example.org', nick_name: 'Invited' }],
  [changeMemberRole, { role: 2 }],
  [disableMember, { is_disabled: true }],
  [createPublishToken, { name: 'Build server' }],
  [registerTool, TOOL],
  [changeTool, TOOL],
  [removeTool, { client_id: TOOL.client_id }],
]);
/** Every change of a member in the contract. */
const WRITES: readonly Call[] = Object.values(memberRoutes).filter(({ method }) => method !== 'GET');
/** What outlives the session, or takes all data of its user away. */
const OWN: readonly Call[] = [createPublishToken, exportAccount];
const TOOLS: readonly Call[] = [registerTool, changeTool, removeTool];

/** What a stolen session of a super administrator can do. */
export const memberChecks: readonly Check[] = [
  {
    id: 'members-proof',
    title:
      'without a proof, the session of a super administrator changes no member and no tool, makes no publish token and exports nothing; it never changes its own user as a member',
    async run(context) {
      const { services, opened } = await signedInAdmin(context);
      const { admin } = services;
      const member = await services.newMember();
      const before = await services.stored();
      const answerTo = async (call: Call, proof: object, user_id = member) => {
        const whose = WRITES.includes(call) && call !== inviteMember ? { user_id } : {};
        const body = JSON.stringify({ ...whose, ...MORE.get(call), ...proof });
        const answer = await opened.call(call.path, { method: call.method, body });
        return { status: answer.status, body: answer.json() };
      };
      const outcomeOf = async (...asked: Parameters<typeof answerTo>) => {
        const { status, body } = await answerTo(...asked);
        return [status, body.code];
      };

      for (const call of [...WRITES, ...OWN, ...TOOLS]) {
        const name = `${call.method} ${call.path}`;
        const refused = [403, 'REAUTHENTICATION_REQUIRED'];
        same(await outcomeOf(call, {}), refused, `${name} without a proof`);
        same(await outcomeOf(call, { code: '123456' }), refused, `${name} with a code that nobody has`);
      }
      for (const call of WRITES.filter((call) => call !== inviteMember)) {
        const own = await outcomeOf(call, { password: admin.password }, admin.userId);
        same(own, [403, 'OWN_ACCOUNT'], `${call.method} ${call.path} of oneself`);
      }
      for (const call of [inviteMember, ...OWN, registerTool]) {
        const wrong = await outcomeOf(call, { password: 'not this one' });
        same(wrong, [422, 'PASSWORD_WRONG'], `${call.method} ${call.path} with a wrong password`);
      }
      same(await services.stored(), before, 'accounts, sessions, links, publish tokens and the audit log');
      const proof = { password: admin.password };
      for (const call of [...WRITES, createPublishToken, ...TOOLS]) {
        const done = await outcomeOf(call, proof, await services.newMember());
        same(done, [200, 0], `${call.method} ${call.path} with a proof`);
      }
      const { status, body } = await answerTo(exportAccount, proof);
      same([status, body.format], [200, 'plugin-square-account'], 'an export with a proof');
    },
  },
];
