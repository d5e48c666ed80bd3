import type { FastifyBaseLogger } from 'fastify';
import { ACCOUNT_PATH } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import type { IdentityContext } from '../context.ts';
import type { PendingBind } from '../federation/store.ts';
import { linkedMail } from '../mail/mails.ts';
import type { Account } from '../schema.ts';

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
      await mailer.send(linkedMail(email, { language, link: publicUrl + ACCOUNT_PATH, at, linked }));
      log.info({ user_id }, 'a mail about a linked sign-in was sent');
    } catch (error) {
      log.error({ err: error, user_id }, 'a mail about a linked sign-in was not sent');
    }
  });
}
