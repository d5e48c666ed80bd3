import { type Static, Type } from 'typebox';
import { PASSWORD_MAX } from '../constants.ts';
import { Nullable, Timestamp } from '../entities/base.ts';
import { TypedCode } from '../entities/sign-in.ts';
import { route } from '../route.ts';

/** Ten recovery codes for users without their phone; returned only once. */
export const RecoveryCodes = Type.Array(Type.String());

/** Secret for an authenticator app. */
export const SetUp = Type.Object({
  /** Base32, for typing. */
  secret: Type.String(),
  /** The same as an `otpauth:` address, for a QR code. */
  address: Type.String(),
});

/** The second factor of the user. */
export const SecondFactorState = Type.Object({
  /** Time when it was turned on; null if it is off. */
  since: Nullable(Timestamp),
  recovery_codes_left: Type.Integer(),
  /** The deployment requires it, so it cannot be turned off. */
  is_required: Type.Boolean(),
  /** The user signs in at another provider, which has its own second factor. */
  is_elsewhere: Type.Boolean(),
  /** Reauthentication to turn it on: none right after a sign-in, else the password, or a new sign-in for a user without one. */
  confirm: Type.Union([Type.Literal('none'), Type.Literal('password'), Type.Literal('sign_in')]),
});
export type SecondFactorState = Static<typeof SecondFactorState>;

/** The second factor of the user's own account, at our own identity service. */
export const secondFactorRoutes = {
  readSecondFactor: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/second_factor',
    access: 'user',
    summary: 'Whether the second factor is on',
    data: SecondFactorState,
  }),
  beginSecondFactor: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/second_factor/begin',
    access: 'user',
    rateLimit: 'sign-in',
    summary:
      'A new secret for an authenticator app, to be confirmed with a code. Requires the password, or a sign-in in the last five minutes',
    body: Type.Object({ password: Type.Optional(Type.String({ maxLength: PASSWORD_MAX })) }),
    data: SetUp,
  }),
  confirmSecondFactor: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/second_factor/confirm',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Turn the second factor on with a code of the app',
    body: Type.Object({ code: TypedCode }),
    data: Type.Object({ recovery_codes: RecoveryCodes }),
  }),
  renewRecoveryCodes: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/second_factor/recovery_codes',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Replace all recovery codes',
    body: Type.Object({ code: TypedCode }),
    data: Type.Object({ recovery_codes: RecoveryCodes }),
  }),
  removeSecondFactor: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/second_factor/remove',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Turn the second factor off',
    body: Type.Object({ code: TypedCode }),
    data: SecondFactorState,
  }),
};
