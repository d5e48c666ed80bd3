import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Nullable } from '../../../shared/entities/base.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { type CheckedGrants, type IssuedGrant, publishGrantCalls } from '../../../shared/identity-calls.ts';
import { type AccountState, readAccountStates } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { tokenInvalid } from '../sessions/caller.ts';
import { findSession } from '../sessions/store.ts';
import { answerAnyone, answerBearer } from './answer.ts';

const LABEL = 'publish grant';

/** The account, and which of its sign-outs was the last when the grant was issued (milliseconds since 1970). */
const Content = Type.Object({ user_id: Type.Integer(), signed_out_at: Nullable(Type.Integer()) });
type Content = Static<typeof Content>;
const content = Compile(Content);

/**
 * Grants by which the community service asks what the owner of a publish token may do now. A grant ends with the next
 * sign-out everywhere, which disabling, a lost role and a new password are as well. No clocks are compared, and nothing
 * but the service that was given a grant can ask about the account.
 */
export function servePublishGrantCalls(app: FastifyInstance, identity: IdentityContext): void {
  const { db, encryptor } = identity;

  answerBearer(app, identity, publishGrantCalls.issue, async ({ user, session }) => {
    // Asked once more, after the account was read: the grant must not know of a sign-out that has ended this session.
    const current = await findSession(db, session.sid);
    if (!current || current.revoked_at !== null) throw tokenInvalid();
    const signed_out_at = user.signed_out_at?.getTime() ?? null;
    const content: Content = { user_id: user.user_id, signed_out_at };
    const grant = encryptor.encrypt(JSON.stringify(content), LABEL);
    return { grant, role: user.role, signed_out_at } satisfies Static<typeof IssuedGrant>;
  });

  answerAnyone(app, publishGrantCalls.check, async ({ body }) => {
    const grants = body.grant_list.map((grant) => opened(encryptor.decrypt(grant, LABEL)));
    const ids = grants.flatMap((grant) => grant?.user_id ?? []);
    const accounts = new Map((await readAccountStates(db, ids)).map((account) => [account.user_id, account]));
    const role_list = grants.map((grant) => grant && roleBy(grant, accounts.get(grant.user_id)));
    return { role_list } satisfies Static<typeof CheckedGrants>;
  });
}

function opened(text: string | undefined): Content | null {
  const read: unknown = text === undefined ? undefined : JSON.parse(text);
  return content.Check(read) ? read : null;
}

/** The role that the account has now; null when it may not act, or was signed out since the grant was issued. */
function roleBy(grant: Content, account: AccountState | undefined): Role | null {
  if (!account || account.disabled_at !== null) return null;
  return (account.signed_out_at?.getTime() ?? null) === grant.signed_out_at ? account.role : null;
}
