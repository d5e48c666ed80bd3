import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { DataOf } from '../../../shared/route.ts';
import type { ownBindRoutes } from '../../../shared/routes/own-bind.ts';
import type { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { proofWanted, reauthenticate } from '../accounts/reauthenticate.ts';
import type { IdentityContext } from '../context.ts';
import { mailLinked } from '../linked-sign-ins/mail-linked.ts';
import { secretHash } from '../secret.ts';
import type { Caller } from '../sessions/caller.ts';
import { findExternal, findPendingBind, insertExternal, type PendingBind, takePendingBind } from './store.ts';

type Handed = Static<(typeof userServiceCalls)['readBind']['body']>;

/**
 * What a pending bind would link to the caller's account, and how the caller has to prove that it is theirs.
 * @throws BIND_REFUSED when it has run out, was used, belongs to another account, or came by another way back
 */
export async function readBind(
  identity: IdentityContext,
  caller: Caller,
  handed: Handed,
): Promise<DataOf<(typeof ownBindRoutes)['readBind']>> {
  const { source, name, email, avatar_url } = await pendingOf(identity, caller, handed);
  const method = identity.methods.find((each) => each.source === source);
  return {
    label: method?.label ?? null,
    method: method?.name ?? null,
    name,
    email,
    avatar_url,
    proof: await proofWanted(identity, caller),
  };
}

/**
 * Binds a sign-in elsewhere to the account of who calls (specification section 7, 3rd-party/bind), once they have proved
 * again that it is theirs, and mails them. Bound to it already is as good.
 * @throws BIND_REFUSED as above, and what `reauthenticate` throws
 */
export async function bindPending(
  identity: IdentityContext,
  caller: Caller,
  { body, request }: { body: Static<(typeof userServiceCalls)['bind']['body']>; request: FastifyRequest },
): Promise<void> {
  const { user_id } = caller.person;
  const pending = await pendingOf(identity, caller, body);
  await reauthenticate(identity, caller, { typed: body, request });
  if (!(await insertBound(identity, pending))) return;
  const { source } = pending;
  request.log.info({ user_id, source, action: 'sign_in.link' }, 'account changed');
  mailLinked(identity, caller.person, { pending, language: body.language ?? 'en-US', log: request.log });
}

async function pendingOf(
  { db, now }: IdentityContext,
  { person }: Caller,
  { id, redirect_uri }: Handed,
): Promise<PendingBind> {
  const pending = await findPendingBind(db, { idHash: secretHash(id), at: new Date(now()) });
  if (pending?.user_id !== person.user_id || pending.redirect_uri !== (redirect_uri ?? null)) {
    throw appError('BIND_REFUSED');
  }
  return pending;
}

/** Answers false when it was bound to this account before. */
function insertBound({ db, now }: IdentityContext, pending: PendingBind): Promise<boolean> {
  const { source, subject, user_id: userId, name, email } = pending;
  const at = new Date(now());
  return db.transaction().execute(async (transaction) => {
    if (!(await takePendingBind(transaction, pending))) throw appError('BIND_REFUSED');
    if (await insertExternal(transaction, { source, subject, userId, at, name, email })) return true;
    const owner = await findExternal(transaction, source, subject);
    if (owner?.user_id !== userId) throw appError('BIND_REFUSED');
    return false;
  });
}
