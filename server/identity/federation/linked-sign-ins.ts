import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { ACCOUNT_PATH } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import { type LinkedSignIn, linkedSignInRoutes } from '../../../shared/routes/linked-sign-in.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { proofWanted, reauthenticate } from '../accounts/reauthenticate.ts';
import type { IdentityContext } from '../context.ts';
import { linkedMail } from '../mail/mails.ts';
import { lockAccount } from '../members/store.ts';
import type { Account } from '../schema.ts';
import { secretHash } from '../secret.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import { type Caller, callerOf, userGuard } from '../sessions/caller.ts';
import { revokeOtherSessions } from '../sessions/store.ts';
import { deleteExternal, type External, type PendingBind, readExternalsOf } from './store.ts';

type Methods = IdentityContext['methods'];

/** By which accounts elsewhere a user signs in, and unlinking them. */
export function serveLinkedSignIns(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, linkedSignInRoutes.listLinkedSignIns, ({ request }) =>
    listLinked(identity, callerOf(request)),
  );
  implement(app, guard, linkedSignInRoutes.removeLinkedSignIn, ({ body, request }) =>
    removeLinked(identity, callerOf(request), { body, request }),
  );
}

/** By which accounts elsewhere the caller signs in. */
async function listLinked(
  identity: IdentityContext,
  caller: Caller,
): Promise<DataOf<(typeof linkedSignInRoutes)['listLinkedSignIns']>> {
  const { db, methods } = identity;
  const externals = await readExternalsOf(db, caller.user.user_id);
  return {
    linked_list: externals.map((each) => ({
      ...toLinked(each, methods),
      is_removable: hasOtherWay(each, { externals, account: caller.user, methods }),
    })),
    proof: await proofWanted(identity, caller),
  };
}

/**
 * Unlinks a sign-in elsewhere once the caller has proved again who they are. The other sessions that came by that service
 * end: one of them may be why it is unlinked.
 * @throws NOT_FOUND, LAST_SIGN_IN, and what `reauthenticate` throws
 */
async function removeLinked(
  identity: IdentityContext,
  caller: Caller,
  {
    body,
    request,
  }: { body: BodyOf<(typeof linkedSignInRoutes)['removeLinkedSignIn']>; request: FastifyRequest },
): Promise<Record<string, never>> {
  const { user_id } = caller.user;
  const isMeant = (each: External): boolean => linkIdOf(each) === body.link_id;
  if (!(await readExternalsOf(identity.db, user_id)).some(isMeant)) throw appError('NOT_FOUND');
  await reauthenticate(identity, caller, { typed: body, request });
  const { source, sids } = await identity.db.transaction().execute(async (db) => {
    const account = await lockAccount(db, user_id);
    const externals = await readExternalsOf(db, user_id);
    const found = externals.find(isMeant);
    if (!account || !found) throw appError('NOT_FOUND');
    if (!hasOtherWay(found, { externals, account, methods: identity.methods }))
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

/** Whether the account can be signed in to without this one: by a password here, or by what the deployment still offers. */
function hasOtherWay(
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

/** Names it to its owner without telling how the directory calls them. */
function linkIdOf({ source, subject }: Pick<External, 'source' | 'subject'>): string {
  return secretHash(`${source}\0${subject}`).toString('base64url');
}

/** Tells the owner of an account, behind the answer, that a sign-in elsewhere was linked to it; nobody where no mail is sent. */
export function mailLinked(
  identity: IdentityContext,
  { user_id, email, email_key, nick_name }: Account,
  { pending, language, log }: { pending: PendingBind; language: Language; log: FastifyBaseLogger },
): void {
  const { mailer, methods, publicUrl } = identity;
  if (!mailer || email_key === null) return;
  const at = new Date(identity.now());
  const provider = methods.find(({ source }) => source === pending.source)?.label ?? pending.source;
  const linked = { account: nick_name, provider, name: pending.name, email: pending.email };
  identity.background.run(log, async () => {
    try {
      await mailer.send(
        linkedMail(email, {
          language,
          siteName: mailer.siteName,
          link: publicUrl + ACCOUNT_PATH,
          at,
          linked,
        }),
      );
      log.info({ user_id }, 'a mail about a linked sign-in was sent');
    } catch (error) {
      log.error({ err: error, user_id }, 'a mail about a linked sign-in was not sent');
    }
  });
}
