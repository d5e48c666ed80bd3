import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { NOTICE_KINDS } from '../../../shared/constants.ts';
import type { NoticeKind } from '../../../shared/entities/notice.ts';
import { UNSUBSCRIBE_PATH } from '../../../shared/notice.ts';
import type { IdentityContext } from '../context.ts';

const LABEL = 'unsubscribe';
const Wanted = Type.Tuple([Type.Integer({ minimum: 1 }), Type.Enum(NOTICE_KINDS)]);

/** Whose mails of which kind are to end. */
export type Unsubscribed = { userId: number; kind: NoticeKind };

/** The address in a mail that ends mails of its kind, without a sign-in. */
export function unsubscribeUrl(
  { encryptor, publicUrl }: Pick<IdentityContext, 'encryptor' | 'publicUrl'>,
  { userId, kind }: Unsubscribed,
): string {
  const token = encryptor.encrypt(JSON.stringify([userId, kind]), LABEL);
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`;
}

/** What a token of such an address says; undefined for anything that was not made here. */
export function readUnsubscribeToken(
  { encryptor }: Pick<IdentityContext, 'encryptor'>,
  token: string,
): Unsubscribed | undefined {
  const text = encryptor.decrypt(token, LABEL);
  const said: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!Check(Wanted, said)) return undefined;
  const [userId, kind] = said;
  return { userId, kind };
}
