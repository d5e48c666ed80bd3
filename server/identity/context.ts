import type { FastifyBaseLogger } from 'fastify';
import type { Encryptor } from '../encryption/encryptor.ts';
import type { Fetch } from '../http/outgoing.ts';
import type { PasswordHasher, PasswordStrength } from './accounts/passwords.ts';
import type { SignInMethod } from './federation/method.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Mailer } from './mail/mailer.ts';
import type { IdentityDb } from './schema.ts';
import type { Random } from './secret.ts';

/** Who must have a second factor: nobody, or every administrator who types a password on our own page. */
export type SecondFactorRule = 'optional' | 'administrators';

/** What the handlers of the service work with. */
export type IdentityContext = {
  db: IdentityDb;
  /** Milliseconds since 1970. */
  now: () => number;
  random: Random;
  keys: KeyRing;
  /** Encrypts secrets at rest, see loadEncryptor in prepare.ts. */
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

/** Work that an answer does not wait for. */
type Background = {
  /** What fails is logged. */
  run(log: FastifyBaseLogger, work: () => Promise<void>): void;
  /** Waits until nothing is under way. */
  flush(): Promise<void>;
};

export function createBackground(): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run(log, work) {
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    flush: async () => {
      await Promise.all(underWay);
    },
  };
}
