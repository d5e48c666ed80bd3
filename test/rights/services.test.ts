import t from 'tap';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../shared/constants.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { newPerson, testIdentity } from '../support/identity.ts';
import { GATEWAY_TO_IDENTITY } from '../support/service-keys.ts';
import { TOOL } from '../support/tool.ts';
import { testCommunityRights } from './ask-community.ts';
import { PAGE, requestOf } from './requests.ts';
import { type CallerName, contradictionOf, RIGHTS } from './table.ts';

const FROM_GATEWAY = { authorization: GATEWAY_TO_IDENTITY };

t.test('community service', async (t) => {
  t.test('the contract and the table name the same calls, with the same access', async (t) => {
    const inTable = new Map(RIGHTS.map(({ call, access }) => [call, access]));
    const inContract = new Map(
      Object.values<Route>(contract).map(({ method, path, access }) => [`${method} ${path}`, access]),
    );
    t.strictSame([...inContract].sort(), [...inTable].sort());
  });

  t.test('exactly four calls accept a publish token', async (t) => {
    const marked = Object.values<Route>(contract).filter(({ publishToken }) => publishToken);
    t.strictSame(
      marked.map(({ method, path }) => `${method} ${path}`),
      [
        'POST /api/cmt/plugin',
        'PUT /api/cmt/plugin',
        'GET /api/cmt/plugin/statistics/insights',
        'GET /api/cmt/plugin/statistics/export',
      ],
    );
  });

  await testCommunityRights(t);
});

t.test('identity service', async (t) => {
  // The identity service called directly, without a gateway. The setting PUBLISHERS does not concern it.
  const { app, db } = await testIdentity(t, { oauthClients: [TOOL] });
  const NO_SUBJECT = { plugin_key: '-', waiting_key: '-', submission_id: 0, token_id: 0 };
  const ROLES = { member: ROLE_USER, admin: ROLE_ADMIN, super: ROLE_SUPER_ADMIN } as const;
  const TESTED = ['visitor', 'member', 'admin', 'super'] as const satisfies CallerName[];

  /** A user for each role, and a new one after each call that may have changed it: some end their own session. */
  const known = new Map<CallerName, Record<string, string>>();
  async function headersOf(caller: (typeof TESTED)[number]): Promise<Record<string, string>> {
    const headers = known.get(caller) ?? (await newHeaders(caller));
    known.set(caller, headers);
    return headers;
  }
  async function newHeaders(caller: (typeof TESTED)[number]): Promise<Record<string, string>> {
    if (caller === 'visitor') return FROM_GATEWAY;
    await db.deleteFrom('attempt').execute();
    const { access, userId } = await newPerson(app);
    await db.updateTable('account').set({ role: ROLES[caller] }).where('user_id', '=', userId).execute();
    return { authorization: `Bearer ${access}` };
  }

  const rights = RIGHTS.filter(({ call }) => call.includes(' /user/'));
  for (const { call, variant, access, outcomes } of rights) {
    t.test(`${call}, called directly`, async (t) => {
      const wrong: string[] = [];
      for (const caller of TESTED) {
        const { method, path, body } = requestOf(call, variant, NO_SUBJECT);
        const response = await app.inject({
          method: method === 'POST' || method === 'PUT' || method === 'DELETE' ? method : 'GET',
          url: path,
          headers: {
            ...PAGE,
            // The gateway sends no bearer token to these.
            ...(access === 'all' ? FROM_GATEWAY : await headersOf(caller)),
            ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          },
          ...(typeof body === 'string' && { payload: body }),
        });
        const { statusCode: status, body: text } = response;
        const answer = { status, text, isRefused: status === 401 || status === 403 };
        if (method !== 'GET' && !answer.isRefused) known.delete(caller);
        wrong.push(...contradictionOf(caller, outcomes[caller], answer));
      }
      t.strictSame(wrong, []);
    });
  }

  t.test('the table has the calls of this service', async (t) => {
    t.ok(rights.length >= 30, String(rights.length));
  });
});
