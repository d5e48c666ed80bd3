import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  ACCOUNT_PATH,
  BIND_LIFETIME,
  BIND_PATH,
  CALLBACK_PATH,
  SSO_ERROR_PARAMETER,
} from '../../../../shared/constants.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { DataOf } from '../../../../shared/route.ts';
import type { ownBindRoutes } from '../../../../shared/routes/linked-sign-in.ts';
import type { userServiceCalls } from '../../../../shared/user-service.ts';
import { appError } from '../../../http/errors.ts';
import { isMailed } from '../../accounts/account.ts';
import { sendAccountMail } from '../../mail/account-mails.ts';
import type { Account } from '../../schema.ts';
import { newSecret, secretHash } from '../../secret.ts';
import type { Caller } from '../../sessions/caller.ts';
import { insertRow } from '../../store.ts';
import { validateRedirectUri } from '../codes/codes.ts';
import type { SignInContext } from '../context.ts';
import { reauthenticate, requiredProof } from '../reauthenticate.ts';
import { callbackUrl, redirectToProvider } from './method.ts';
import { documentSourceOf } from './methods.ts';
import { accountFieldsOf, type Conflict, shownOf } from './provision.ts';
import {
  consumePendingBind,
  findExternal,
  findPendingBind,
  insertExternal,
  type PendingBind,
} from './store.ts';

type Calls = typeof userServiceCalls;
type Context = Pick<SignInContext, 'db' | 'now' | 'random' | 'publicUrl'>;

/**
 * Redirects a signed-in user to a document service whose account they want to link (`bind_other=bind`). The user is stored
 * here, so that nobody can link another user's sign-in, and the result returns to the callback of the same browser.
 * @throws LOGIN_SOURCE_UNKNOWN, REDIRECT_URI_REFUSED, SERVICE_UNAVAILABLE
 */
export async function beginBind(
  identity: SignInContext,
  { user_id }: Pick<Account, 'user_id'>,
  body: Static<Calls['beginBind']['body']>,
): Promise<{ go_to: string }> {
  const { pathname } = validateRedirectUri(body.redirect_uri, identity.publicUrl);
  if (pathname !== CALLBACK_PATH) throw appError('REDIRECT_URI_REFUSED');
  const method = documentSourceOf(identity.methods, body)?.method;
  if (!method) throw appError('LOGIN_SOURCE_UNKNOWN');
  const { source } = method;
  const parameters = { ...body, bind_for: String(user_id) };
  const backTo = callbackUrl(identity.publicUrl, source);
  return redirectToProvider(identity, method, { source, parameters, backTo });
}

/** Address of the bind page as it was opened, with an error code. */
export function retryBindPage(
  publicUrl: string,
  parameters: Readonly<Record<string, string>>,
  code: string,
): string {
  const { bind_for: _for, redirect_uri: _callback, ...query } = parameters;
  return `${publicUrl}${BIND_PATH}?${new URLSearchParams({ ...query, [SSO_ERROR_PARAMETER]: code })}`;
}

/**
 * Address for linking an external sign-in to an account (R 2.20): the gateway's callback, which gives the
 * id only to the browser that started the sign-in. Other addresses get no id; the gateway starts the sign-in again.
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
 * Stores an external sign-in until its user has authenticated as the owner of the account. Returns the id of the bind.
 * `redirectUri`: the only callback that may use it; null without one.
 */
export async function createPendingBind(
  { db, now, random }: Omit<Context, 'publicUrl'>,
  { source, profile, userId }: Conflict,
  redirectUri: string | null,
): Promise<string> {
  const id = newSecret(random);
  await insertRow(db, 'pending_bind', {
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
 * The external account of a pending bind, and how the caller must authenticate to link it.
 * @throws BIND_REFUSED when it is expired, used, of another account or of another callback
 */
export async function readBind(
  identity: SignInContext,
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
    proof: await requiredProof(identity, caller),
  };
}

/**
 * Links an external sign-in to the caller's account (R 14.44) after they have
 * authenticated again, and mails them. Does nothing when it is linked already.
 * @throws BIND_REFUSED as in `readBind`, and what `reauthenticate` throws
 */
export async function bindPending(
  identity: SignInContext,
  caller: Caller,
  { body, request }: { body: Static<Calls['bind']['body']>; request: FastifyRequest },
): Promise<void> {
  const { user_id: userId } = caller.user;
  const pending = await pendingOf(identity, caller, body);
  await reauthenticate(identity, caller, { typed: body, request });
  const { source, subject, name, email } = pending;
  const at = new Date(identity.now());
  const isNew = await identity.db.transaction().execute(async (db) => {
    if (!(await consumePendingBind(db, pending))) throw appError('BIND_REFUSED');
    if (await insertExternal(db, { source, subject, userId, at, name, email })) return true;
    const owner = await findExternal(db, source, subject);
    if (owner?.user_id !== userId) throw appError('BIND_REFUSED');
    return false;
  });
  if (!isNew) return;
  request.log.info({ user_id: userId, source, action: 'sign_in.link' }, 'account changed');
  notifyLinked(identity, caller.user, { pending, language: body.language, log: request.log });
}

async function pendingOf(
  { db, now }: SignInContext,
  { user }: Caller,
  { id, redirect_uri }: Static<Calls['readBind']['body']>,
): Promise<PendingBind> {
  const pending = await findPendingBind(db, secretHash(id), new Date(now()));
  const isOwn = pending?.user_id === user.user_id && pending.redirect_uri === (redirect_uri ?? null);
  if (!pending || !isOwn) throw appError('BIND_REFUSED');
  return pending;
}

/** Mails the owner of an account, after the response, that an external sign-in was linked to it. */
function notifyLinked(
  identity: SignInContext,
  account: Account,
  {
    pending: { source, name, email },
    language,
    log,
  }: { pending: PendingBind; language: Language | undefined; log: FastifyBaseLogger },
): void {
  if (!isMailed(account)) return;
  const { user_id, email: to, nick_name } = account;
  const { methods, background, now } = identity;
  const values = {
    when: new Date(now()),
    account: nick_name,
    provider: methods.find((method) => method.source === source)?.label ?? source,
    person: name && email ? `${name} (${email})` : name || email,
  };
  background.run(log, async () => {
    const link = identity.publicUrl + ACCOUNT_PATH;
    await sendAccountMail(identity, 'linked', { to, language, link, values, userId: user_id }, log);
  });
}
