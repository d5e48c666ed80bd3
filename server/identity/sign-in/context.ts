import type { SignUp } from '../../../shared/deploy-types.ts';
import type { PasswordHasher, PasswordStrength } from '../accounts/passwords.ts';
import type { MailContext } from '../mail/account-mails.ts';
import type { SessionContext } from '../sessions/tokens.ts';
import type { SignInMethod } from './federation/method.ts';

/** Who must have a second factor: nobody, or every administrator who signs in with a password on our own page. */
export type SecondFactorRule = 'optional' | 'administrators';

/** What a sign-in uses. */
export type SignInContext = SessionContext &
  MailContext & {
    passwords: PasswordHasher;
    passwordStrength: PasswordStrength;
    methods: readonly SignInMethod[];
    /** Timeout in milliseconds for each request to another service during a sign-in. */
    peerTimeout: number;
    /** Who may create a local account. */
    signUp: SignUp;
    secondFactor: SecondFactorRule;
  };
