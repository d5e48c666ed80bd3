import type { LoginMethod } from '../../../shared/entities/user.ts';
import type { Account } from '../schema.ts';

export type Credentials = { account: string; password: string };

/** A way to sign in that a deployment offers. What it makes of a person is always an account of our own. */
export type SignInMethod = {
  name: LoginMethod;
  /** For methods of the password form. Undefined when account or password are wrong, in the same time. */
  authenticate?: (credentials: Credentials) => Promise<Account | undefined>;
  /** Where sign-out leads afterwards: 0 nowhere, 1 to the address (specification section 3). */
  logout?: { logout_mode: 0 | 1; logout_url: string };
};
