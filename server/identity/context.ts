import type { Encryptor } from '../encryption/encryptor.ts';
import type { Fetch } from '../http/fetch.ts';
import type { PasswordHasher } from './accounts/password-hash.ts';
import type { PasswordStrength } from './accounts/password-strength.ts';
import type { Background } from './background.ts';
import type { SignInMethod } from './federation/method.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Mailer } from './mail/mailer.ts';
import type { IdentityDb } from './schema.ts';
import type { SecondFactorRule } from './second-factor/required.ts';
import type { Random } from './secret.ts';

/** What the handlers of the service work with. */
export type IdentityContext = {
  db: IdentityDb;
  /** Milliseconds since 1970. */
  now: () => number;
  random: Random;
  keys: KeyRing;
  /** Encrypts secrets at rest, see encryptor.ts. */
  encryptor: Encryptor;
  passwords: PasswordHasher;
  passwordStrength: PasswordStrength;
  /** Absent where no mail is sent. */
  mailer?: Mailer;
  background: Background;
  methods: readonly SignInMethod[];
  /** Milliseconds that another service has for a step of a sign-in. */
  peerTimeout: number;
  secondFactor: SecondFactorRule;
  /** Milliseconds in which a sign-in calls the deletion of an account off; 0: it goes at once. */
  deletionDelay: number;
  /** The origin that browsers see. */
  publicUrl: string;
  /** Where the gateway is told of sessions that have ended. */
  backchannelUrl: string;
  /** Asks the gateway. */
  fetch: Fetch;
};
