import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { NOTICE_KINDS } from '../../../shared/constants.ts';
import { noticeMailCalls } from '../../../shared/identity-calls.ts';
import { UNSUBSCRIBE_PATH } from '../../../shared/notice.ts';
import { mailPreferenceRoutes, type NoticeKind } from '../../../shared/routes/notice.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { answerAnyone } from '../calls/answer.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/caller.ts';
import { insertNoticeMails, readOptOuts, setLanguage, setOptOut } from './store.ts';

const isKind = (kind: string): kind is NoticeKind => NOTICE_KINDS.some((known) => known === kind);

/** The queue of mails, as the marketplace fills it, and what people want of them. */
export function serveNoticeMails(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  const preferencesOf = async (userId: number) => ({
    is_mailing: identity.mailer !== undefined,
    off_list: (await readOptOuts(identity.db, userId)).filter(isKind),
  });
  implement(app, guard, mailPreferenceRoutes.readMailPreferences, ({ request }) =>
    preferencesOf(callerOf(request).user.user_id),
  );
  implement(app, guard, mailPreferenceRoutes.changeMailPreferences, async ({ body, request }) => {
    const { user_id: userId } = callerOf(request).user;
    const { kind, is_on: isOn, language } = body;
    const at = new Date(identity.now());
    if (language !== undefined) await setLanguage(identity.db, userId, language);
    if (kind !== undefined && isOn !== undefined)
      await setOptOut(identity.db, { userId, kind, isOut: !isOn, at });
    return preferencesOf(userId);
  });
  implement(
    app,
    async () => undefined,
    mailPreferenceRoutes.unsubscribe,
    async ({ body }) => {
      const wanted = readUnsubscribeToken(identity, body.token);
      if (!wanted) throw appError('MAIL_LINK_INVALID');
      await setOptOut(identity.db, { ...wanted, isOut: true, at: new Date(identity.now()) });
      return {};
    },
  );
  answerAnyone(app, noticeMailCalls.take, async ({ body }) => {
    const { db, mailer, now } = identity;
    // Of a kind that a later release knows nothing can be said.
    const mails = body.mail_list.flatMap(({ kind, created_at, ...mail }) =>
      isKind(kind) ? [{ ...mail, kind, created_at: new Date(created_at) }] : [],
    );
    if (mailer && mails.length > 0) await insertNoticeMails(db, mails, new Date(now()));
    return { taken: body.mail_list.length };
  });
}

const LABEL = 'unsubscribe';
const Wanted = Type.Tuple([Type.Integer({ minimum: 1 }), Type.Enum(NOTICE_KINDS)]);

/** Whose mails of which kind are to end. */
type Unsubscribed = { userId: number; kind: NoticeKind };

/** The address in a mail that ends mails of its kind, without a sign-in. */
export function unsubscribeUrl(
  { encryptor, publicUrl }: Pick<IdentityContext, 'encryptor' | 'publicUrl'>,
  { userId, kind }: Unsubscribed,
): string {
  const token = encryptor.encrypt(JSON.stringify([userId, kind]), LABEL);
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`;
}

/** What a token of such an address says; undefined for anything that was not made here. */
function readUnsubscribeToken(
  { encryptor }: Pick<IdentityContext, 'encryptor'>,
  token: string,
): Unsubscribed | undefined {
  const text = encryptor.decrypt(token, LABEL);
  const said: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!Check(Wanted, said)) return undefined;
  const [userId, kind] = said;
  return { userId, kind };
}
