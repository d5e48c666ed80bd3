import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../../shared/entities/base.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { type CheckedGrants, type IssuedGrant, publishGrantCalls } from '../../../shared/identity-calls.ts';
import { tokenInvalid } from '../../http/authentication.ts';
import { type AccountState, readAccountStates } from '../accounts/store.ts';
import { implementOpenCall } from '../calls.ts';
import { decryptJson } from '../secret.ts';
import { implementBearerCall } from './bearer-call.ts';
import { findSession } from './store.ts';

const PURPOSE = 'publish grant';

/** The account, and its last sign-out when the grant was issued (milliseconds since 1970). */
const Content = Type.Object({ user_id: Type.Integer(), signed_out_at: Nullable(Type.Integer()) });
type Content = Static<typeof Content>;

/**
 * Grants with which the community service checks the current rights of a publish token's owner. A grant ends with the next
 * sign-out everywhere, which disabling, losing a role and a new password cause as well. No clocks are compared, and only a
 * service that holds a grant can query the account.
 */
export function servePublishGrantCalls(app: FastifyInstance): void {
  const { identity } = app;
  const { db, encryptor } = identity;

  implementBearerCall(app, publishGrantCalls.issue, async ({ user, session }) => {
    // Read again after the account: the grant must not include a sign-out that has ended this session.
    const current = await findSession(db, session.sid);
    if (!current || current.revoked_at !== null) throw tokenInvalid();
    const signed_out_at = user.signed_out_at?.getTime() ?? null;
    const content: Content = { user_id: user.user_id, signed_out_at };
    const grant = encryptor.encrypt(JSON.stringify(content), PURPOSE);
    return { grant, role: user.role, signed_out_at } satisfies Static<typeof IssuedGrant>;
  });

  implementOpenCall(app, publishGrantCalls.check, async ({ body }) => {
    const grants = body.grant_list.map((grant) => decryptJson(encryptor, Content, grant, PURPOSE) ?? null);
    const ids = grants.flatMap((grant) => grant?.user_id ?? []);
    const accounts = new Map((await readAccountStates(db, ids)).map((account) => [account.user_id, account]));
    const role_list = grants.map((grant) => grant && roleBy(grant, accounts.get(grant.user_id)));
    return { role_list } satisfies Static<typeof CheckedGrants>;
  });
}

/** The current role; null when the account is disabled or was signed out since the grant was issued. */
function roleBy(grant: Content, account: AccountState | undefined): Role | null {
  if (!account || account.disabled_at !== null) return null;
  return (account.signed_out_at?.getTime() ?? null) === grant.signed_out_at ? account.role : null;
}
