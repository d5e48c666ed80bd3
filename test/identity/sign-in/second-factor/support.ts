import { TOTP } from 'otpauth';
import type { MailSettings } from '../../../../server/identity/mail/mailer.ts';
import type { SecondFactorRule } from '../../../../server/identity/sign-in/context.ts';
import { type Answer, ask, CALLBACK, exchange, signUp, testIdentity } from '../../../support/identity.ts';

type Test = Parameters<typeof testIdentity>[0];

export const ACCOUNT = '/user/account/second_factor';
export const PASS = 'POST /user/page/second_factor';
export const FINISH = 'POST /user/page/second_factor/finish';

/** The code of an authenticator app at a time. */
export function codeAt(secret: string, at: number): string {
  return new TOTP({ secret }).generate({ timestamp: at });
}

export const dataOf = ({ body }: Answer): Record<string, unknown> => body.data;

export function codesOf(answer: Answer): string[] {
  const codes = dataOf(answer).recovery_codes;
  return Array.isArray(codes) ? codes.map(String) : [];
}

/** The challenge in the response of a sign-in. */
export function challengeOf(answer: Answer): { token: string; kind: unknown; secret: string } {
  const challenge: unknown = dataOf(answer).challenge;
  const field = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : '';
  return {
    token: String(field(challenge, 'token')),
    kind: field(challenge, 'kind'),
    secret: String(field(field(challenge, 'set_up'), 'secret')),
  };
}

/** An identity service with helpers for the second factor. */
export async function withSecondFactor(
  t: Test,
  secondFactor: SecondFactorRule = 'optional',
  mail?: Omit<MailSettings, 'ca'>,
) {
  const identity = await testIdentity(t, { secondFactor, ...(mail && { mail }) });
  const { app, clock } = identity;

  const passwordOf = (account: string, password: string, more: Record<string, unknown> = {}) =>
    ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK, ...more } });

  const pass = (challenge: string, code: string, redirect_uri = CALLBACK) =>
    ask(app, PASS, { body: { challenge, code, redirect_uri } });

  const finish = (challenge: string, redirect_uri = CALLBACK) =>
    ask(app, FINISH, { body: { challenge, redirect_uri } });

  /** A new user who has enabled the second factor one time step ago. */
  const guarded = async () => {
    const person = await signUp(app);
    const tokens = await exchange(app, person.code);
    const own = (call: string, body?: unknown) => {
      const [method, path = ''] = call.split(' ');
      return ask(app, `${method} ${ACCOUNT}${path}`, { bearer: tokens.access, body });
    };
    const started = await own('POST /begin', {});
    const secret = String(dataOf(started).secret);
    const confirmed = await own('POST /confirm', { code: codeAt(secret, clock.now) });
    clock.now += 30_000;
    return {
      ...person,
      ...tokens,
      secret,
      recoveryCodes: codesOf(confirmed),
      own,
      /** Signs in up to the challenge. */
      challenge: async () => challengeOf(await passwordOf(person.email, person.password)).token,
      /** The current code. */
      app: () => codeAt(secret, clock.now),
    };
  };
  return { ...identity, passwordOf, pass, finish, guarded };
}
