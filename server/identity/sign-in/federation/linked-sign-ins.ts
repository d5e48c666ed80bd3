import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyOf, DataOf } from '../../../../shared/route.ts';
import { type LinkedSignIn, linkedSignInRoutes } from '../../../../shared/routes/linked-sign-in.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { lockAccount } from '../../accounts/change-store.ts';
import type { Account } from '../../schema.ts';
import { secretHash } from '../../secret.ts';
import { type Caller, callerOf } from '../../sessions/caller.ts';
import { revokeOtherSessions } from '../../sessions/store.ts';
import { sendBackchannelLogout } from '../../sessions/tokens.ts';
import type { SignInContext } from '../context.ts';
import { reauthenticate, requiredProof } from '../reauthenticate.ts';
import { deleteExternal, type External, readExternalsOf } from './store.ts';

type Methods = SignInContext['methods'];

/** A user's sign-ins through other providers, and unlinking them. */
export function serveLinkedSignIns(app: FastifyInstance): void {
  const { identity } = app;
  implement(app, linkedSignInRoutes.listLinkedSignIns, ({ request }) =>
    listLinked(identity, callerOf(request)),
  );
  implement(app, linkedSignInRoutes.removeLinkedSignIn, ({ body, request }) =>
    removeLinked(identity, callerOf(request), { body, request }),
  );
}

async function listLinked(
  identity: SignInContext,
  caller: Caller,
): Promise<DataOf<(typeof linkedSignInRoutes)['listLinkedSignIns']>> {
  const { db, methods } = identity;
  const externals = await readExternalsOf(db, caller.user.user_id);
  return {
    linked_list: externals.map((each) => ({
      ...toLinked(each, methods),
      is_removable: hasOtherSignIn(each, { externals, account: caller.user, methods }),
    })),
    proof: await requiredProof(identity, caller),
  };
}

/**
 * Unlinks an external sign-in after the caller has authenticated again. Ends the other sessions of that provider, because
 * one of them may be the reason for unlinking.
 * @throws NOT_FOUND, LAST_SIGN_IN, and what `reauthenticate` throws
 */
async function removeLinked(
  identity: SignInContext,
  caller: Caller,
  {
    body,
    request,
  }: { body: BodyOf<(typeof linkedSignInRoutes)['removeLinkedSignIn']>; request: FastifyRequest },
): Promise<Record<string, never>> {
  const { user_id } = caller.user;
  const isRequested = (each: External): boolean => linkIdOf(each) === body.link_id;
  if (!(await readExternalsOf(identity.db, user_id)).some(isRequested)) throw appError('NOT_FOUND');
  await reauthenticate(identity, caller, { typed: body, request });
  const { source, sids } = await identity.db.transaction().execute(async (db) => {
    const account = await lockAccount(db, user_id);
    const externals = await readExternalsOf(db, user_id);
    const found = externals.find(isRequested);
    if (!account || !found) throw appError('NOT_FOUND');
    if (!hasOtherSignIn(found, { externals, account, methods: identity.methods }))
      throw appError('LAST_SIGN_IN');
    await deleteExternal(db, found);
    const at = new Date(identity.now());
    const ended = await revokeOtherSessions(db, user_id, caller.session.sid, at, found.source);
    return { source: found.source, sids: ended };
  });
  request.log.info({ user_id, source, action: 'sign_in.unlink' }, 'account changed');
  await sendBackchannelLogout(identity, { userId: user_id, sids }, request.log);
  return {};
}

/** Whether the user can sign in without this one: with a password here, or through a provider that is still configured. */
function hasOtherSignIn(
  external: External,
  { externals, account, methods }: { externals: readonly External[]; account: Account; methods: Methods },
): boolean {
  if (account.password_hash !== null && methods.some(({ kind }) => kind === 'local')) return true;
  return externals.some(
    (other) =>
      linkIdOf(other) !== linkIdOf(external) && methods.some(({ source }) => source === other.source),
  );
}

function toLinked(external: External, methods: Methods): Omit<LinkedSignIn, 'is_removable'> {
  const { source, name, email, created_at, last_sign_in_at } = external;
  const method = methods.find((each) => each.source === source);
  return {
    link_id: linkIdOf(external),
    label: method?.label ?? null,
    method: method?.name ?? null,
    name,
    email,
    linked_at: created_at.toISOString(),
    last_sign_in_at: last_sign_in_at.toISOString(),
  };
}

/** Identifies a link for its owner without revealing the subject. */
function linkIdOf({ source, subject }: Pick<External, 'source' | 'subject'>): string {
  return secretHash(`${source}\0${subject}`).toString('base64url');
}
