import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { BIND_LIFETIME, BIND_PATH, CALLBACK_PATH, SSO_ERROR_PARAMETER } from '../../../shared/constants.ts';
import type { DataOf } from '../../../shared/route.ts';
import type { ownBindRoutes } from '../../../shared/routes/linked-sign-in.ts';
import type { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { proofWanted, reauthenticate } from '../accounts/reauthenticate.ts';
import type { IdentityContext } from '../context.ts';
import { acceptedRedirectUri } from '../page/redirect-uri.ts';
import type { Account } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import type { Caller } from '../sessions/caller.ts';
import { documentSourceOf } from './document-service.ts';
import { mailLinked } from './linked-sign-ins.ts';
import { accountFieldsOf, shownOf } from './profile.ts';
import type { Conflict } from './provision.ts';
import { callbackUrl, redirectToProvider } from './redirect.ts';
import {
  findExternal,
  findPendingBind,
  insertExternal,
  insertPendingBind,
  type PendingBind,
  takePendingBind,
} from './store.ts';

type Calls = typeof userServiceCalls;
type Context = Pick<IdentityContext, 'db' | 'now' | 'random' | 'publicUrl'>;

/**
 * Redirects a signed-in user to a document service whose account they want to link to their own (`bind_other=bind`). For
 * whom it was begun is stored here, so that nobody links what another user proves, and it leads back to the callback of
 * the browser that has begun it.
 * @throws LOGIN_SOURCE_UNKNOWN, REDIRECT_URI_REFUSED, SERVICE_UNAVAILABLE
 */
export async function beginBind(
  identity: IdentityContext,
  { user_id }: Pick<Account, 'user_id'>,
  body: Static<Calls['beginBind']['body']>,
): Promise<{ go_to: string }> {
  const { pathname } = acceptedRedirectUri(body.redirect_uri, identity.publicUrl);
  if (pathname !== CALLBACK_PATH) throw appError('REDIRECT_URI_REFUSED');
  const method = documentSourceOf(identity.methods, body)?.method;
  if (!method) throw appError('LOGIN_SOURCE_UNKNOWN');
  const { source } = method;
  const parameters = { ...body, bind_for: String(user_id) };
  const backTo = callbackUrl(identity.publicUrl, source);
  return redirectToProvider(identity, method, { source, parameters, backTo });
}

/** The bind page as it was opened, with the reason why it is shown again. */
export function bindPageAgain(
  publicUrl: string,
  parameters: Readonly<Record<string, string>>,
  code: string,
): string {
  const { bind_for: _for, redirect_uri: _callback, ...asked } = parameters;
  return `${publicUrl}${BIND_PATH}?${new URLSearchParams({ ...asked, [SSO_ERROR_PARAMETER]: code })}`;
}

/**
 * Where a user goes to link an external sign-in to an account (specification section 2): back to the gateway's callback,
 * which keeps the id from everybody but the browser that has begun the sign-in. No other address gets an id: from there
 * the sign-in starts once more, by the gateway.
 */
export async function bindUrl(context: Context, redirectUri: URL, conflict: Conflict): Promise<string> {
  const url = new URL(redirectUri);
  url.searchParams.delete('code');
  if (url.pathname !== CALLBACK_PATH) {
    const query = new URLSearchParams({ return_to: url.pathname + url.search });
    return `${context.publicUrl}/api/auth/login?${query}`;
  }
  url.searchParams.set('bind', await createPendingBind(context, conflict, redirectUri.href));
  return url.href;
}

/**
 * Stores an external sign-in until its user has shown that the account is theirs. Answers the bind's id.
 * `redirectUri`: the callback that alone may use it, null where there is none.
 */
export async function createPendingBind(
  { db, now, random }: Omit<Context, 'publicUrl'>,
  { source, profile, userId }: Conflict,
  redirectUri: string | null,
): Promise<string> {
  const id = newSecret(random);
  await insertPendingBind(db, {
    id_hash: secretHash(id),
    source,
    subject: profile.subject,
    user_id: userId,
    ...shownOf(profile),
    avatar_url: accountFieldsOf(profile).avatar_url,
    redirect_uri: redirectUri,
    expires_at: new Date(now() + BIND_LIFETIME),
  });
  return id;
}

/**
 * What a pending bind would link to the caller's account, and how the caller has to prove that it is theirs.
 * @throws BIND_REFUSED when it has run out, was used, belongs to another account, or came by another way back
 */
export async function readBind(
  identity: IdentityContext,
  caller: Caller,
  body: Static<Calls['readBind']['body']>,
): Promise<DataOf<(typeof ownBindRoutes)['readBind']>> {
  const { source, name, email, avatar_url } = await pendingOf(identity, caller, body);
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
 * Links an external sign-in to the caller's account (specification section 7, 3rd-party/bind), once they have proved
 * again that it is theirs, and mails them. Linked to it already is as good.
 * @throws BIND_REFUSED as above, and what `reauthenticate` throws
 */
export async function bindPending(
  identity: IdentityContext,
  caller: Caller,
  { body, request }: { body: Static<Calls['bind']['body']>; request: FastifyRequest },
): Promise<void> {
  const { user_id: userId } = caller.user;
  const pending = await pendingOf(identity, caller, body);
  await reauthenticate(identity, caller, { typed: body, request });
  const { source, subject, name, email } = pending;
  const at = new Date(identity.now());
  const isNew = await identity.db.transaction().execute(async (db) => {
    if (!(await takePendingBind(db, pending))) throw appError('BIND_REFUSED');
    if (await insertExternal(db, { source, subject, userId, at, name, email })) return true;
    const owner = await findExternal(db, source, subject);
    if (owner?.user_id !== userId) throw appError('BIND_REFUSED');
    return false;
  });
  if (!isNew) return;
  request.log.info({ user_id: userId, source, action: 'sign_in.link' }, 'account changed');
  mailLinked(identity, caller.user, { pending, language: body.language ?? 'en-US', log: request.log });
}

async function pendingOf(
  { db, now }: IdentityContext,
  { user }: Caller,
  { id, redirect_uri }: Static<Calls['readBind']['body']>,
): Promise<PendingBind> {
  const pending = await findPendingBind(db, { idHash: secretHash(id), at: new Date(now()) });
  const isTheirs = pending?.user_id === user.user_id && pending.redirect_uri === (redirect_uri ?? null);
  if (!pending || !isTheirs) throw appError('BIND_REFUSED');
  return pending;
}
