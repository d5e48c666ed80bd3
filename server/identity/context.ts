import type { PasswordHasher } from './accounts/password-hash.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { SignInMethod } from './methods/method.ts';
import type { IdentityDb } from './schema.ts';
import type { Random } from './secret.ts';

/** What the handlers of the service work with. */
export type IdentityContext = {
  db: IdentityDb;
  /** Milliseconds since 1970. */
  now: () => number;
  random: Random;
  keys: KeyRing;
  passwords: PasswordHasher;
  methods: readonly SignInMethod[];
  /** The origin that browsers see. */
  publicUrl: string;
  /** Where the gateway is told of sessions that have ended. */
  backchannelUrl: string;
  fetch: typeof fetch;
};
