import t from 'tap';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../shared/constants.ts';
import { newPerson, testIdentity } from '../support/identity.ts';
import { requestOf } from './requests.ts';
import { type CallerName, RIGHTS } from './table.ts';

/** The identity service asked directly, without the gateway before it. Who publishes is nothing to it. */
const { app, db } = await testIdentity(t);
const NOTHING = { plugin_key: '-', waiting_key: '-', submission_id: 0, token_id: 0 };
const ROLES = { member: ROLE_USER, admin: ROLE_ADMIN, super: ROLE_SUPER_ADMIN } as const;
const ASKING = ['visitor', 'member', 'admin', 'super'] as const satisfies CallerName[];

/** Somebody of their own for each call: some calls end the session that they are made with. */
async function headersOf(caller: (typeof ASKING)[number]): Promise<Record<string, string>> {
  if (caller === 'visitor') return {};
  await db.deleteFrom('attempt').execute();
  const { access, userId } = await newPerson(app);
  await db.updateTable('account').set({ role: ROLES[caller] }).where('user_id', '=', userId).execute();
  return { authorization: `Bearer ${access}` };
}

const rights = RIGHTS.filter(({ call }) => call.includes(' /user/'));
for (const { call, variant, outcomes } of rights) {
  t.test(`${call}, asked directly`, async (t) => {
    for (const caller of ASKING) {
      const { method, path, body } = requestOf(call, variant, NOTHING);
      const response = await app.inject({
        method: method === 'POST' || method === 'PUT' || method === 'DELETE' ? method : 'GET',
        url: path,
        headers: {
          ...(await headersOf(caller)),
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        },
        ...(typeof body === 'string' && { payload: body }),
      });
      if (outcomes[caller] === 'ok') {
        t.notOk(
          [401, 403].includes(response.statusCode),
          `${caller}: ${response.statusCode} ${response.body}`,
        );
      } else {
        t.equal(response.statusCode, Number(outcomes[caller]), `${caller}: ${response.body}`);
      }
    }
  });
}

t.test('the table names calls of this service', async (t) => {
  t.ok(rights.length >= 30, String(rights.length));
});
