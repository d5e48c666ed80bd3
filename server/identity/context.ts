import type { FastifyBaseLogger } from 'fastify';
import type { SignUp } from '../../shared/deploy-types.ts';
import type { Encryptor } from '../encryption/encryptor.ts';
import type { Fetch } from '../http/outgoing.ts';
import type { PasswordHasher, PasswordStrength } from './accounts/passwords.ts';
import type { SignInMethod } from './federation/method.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Mailer } from './mail/mailer.ts';
import type { IdentityMetrics } from './metrics.ts';
import type { IdentityDb } from './schema.ts';
import type { Random } from './secret.ts';

/** Who must have a second factor: nobody, or every administrator who signs in with a password on our own page. */
export type SecondFactorRule = 'optional' | 'administrators';

/** What all calls of the service use. */
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
  /** Absent when the deployment sends no mails. */
  mailer?: Mailer;
  background: Background;
  metrics: IdentityMetrics;
  methods: readonly SignInMethod[];
  /** Timeout in milliseconds for each request to another service during a sign-in. */
  peerTimeout: number;
  /** Who may create a local account. */
  signUp: SignUp;
  secondFactor: SecondFactorRule;
  /** Milliseconds during which a sign-in cancels the deletion of an account; 0 deletes it immediately. */
  deletionDelay: number;
  /** The origin that browsers see. */
  publicUrl: string;
  /** Address of the gateway's back-channel logout. */
  backchannelUrl: string;
  /** For requests to the gateway. */
  fetch: Fetch;
};

declare module 'fastify' {
  interface FastifyInstance {
    identity: IdentityContext;
  }
}

/** Work that a response does not wait for. */
type Background = {
  /** Logs errors. */
  run(log: FastifyBaseLogger, work: () => Promise<void>): void;
  /** Waits until all work is done. */
  flush(): Promise<void>;
};

export function createBackground(): Background {
  const running = new Set<Promise<void>>();
  return {
    run(log, work) {
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'background work failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    flush: async () => {
      await Promise.all(running);
    },
  };
}
