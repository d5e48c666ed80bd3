import { type Static, Type } from 'typebox';
import { PASSWORD_MAX } from '../constants.ts';
import { Nullable, Timestamp } from '../entities/base.ts';
import { TypedCode } from '../entities/sign-in.ts';
import { route } from '../route.ts';

/** Ten codes for people without their telephone; told once. */
export const RecoveryCodes = Type.Array(Type.String());

/** What an authenticator app needs. */
export const SetUp = Type.Object({
  /** Base32, to be typed. */
  secret: Type.String(),
  /** The same as an `otpauth:` address, to be drawn as a QR code. */
  address: Type.String(),
});

/** The second factor of the viewer. */
export const SecondFactorState = Type.Object({
  /** When it was turned on; null while it is off. */
  since: Nullable(Timestamp),
  recovery_codes_left: Type.Integer(),
  /** The deployment asks for it, so it stays on. */
  is_required: Type.Boolean(),
  /** The viewer came from another sign-in page, which asks for what it wants itself. */
  is_elsewhere: Type.Boolean(),
  /** What turning it on takes now: nothing right after a sign-in, else the password, or a new sign-in without one here. */
  confirm: Type.Union([Type.Literal('none'), Type.Literal('password'), Type.Literal('sign_in')]),
});
export type SecondFactorState = Static<typeof SecondFactorState>;

/** The second factor of one's own account, at our own identity service. */
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
      'A new secret for an authenticator app; it counts once a code has proved it. Takes the password, or a sign-in of the last five minutes',
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
    summary: 'New recovery codes in the place of all earlier ones',
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
