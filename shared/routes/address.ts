import { type Static, Type } from 'typebox';
import { LanguageName, Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { Proof } from '../entities/proof.ts';
import { route } from '../route.ts';

/** The token of a mailed link. */
export const MailToken = Type.String({ minLength: 1, maxLength: 128 });

/** The e-mail address of the viewer's account. */
export const OwnAddress = Type.Object({
  /** Empty where the account has none. */
  email: Type.String(),
  /** When a link proved that it is theirs; null while it is only said so. */
  verified_at: Nullable(Timestamp),
  /** Whether a link can be mailed. */
  can_verify: Type.Boolean(),
  /** An address that a link was mailed to which still is good; opening it makes it the account's. */
  new_email: Nullable(Type.String()),
  /** Whether it can be changed, which takes a mail. */
  can_change: Type.Boolean(),
  /** How to prove who one is for that. */
  proof: Proof,
});
export type OwnAddress = Static<typeof OwnAddress>;

/** The e-mail address of one's own account, at our own identity service. */
export const addressRoutes = {
  readAddress: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/email',
    access: 'user',
    summary: 'The e-mail address, and whether it is proved',
    data: OwnAddress,
  }),
  askAddressLink: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/link',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Have a link mailed that proves the own e-mail address',
    body: Type.Object({ language: LanguageName }),
    data: Nothing,
  }),
  verifyAddress: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/verify',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Prove the own e-mail address by a mailed link, or take the one that it was mailed to',
    /** The language is of the mail to an address of before. */
    body: Type.Object({ token: MailToken, language: Type.Optional(LanguageName) }),
    data: OwnAddress,
  }),
};
