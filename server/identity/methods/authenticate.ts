import type { LoginMethod } from '../../../shared/entities/user.ts';
import { appError } from '../../http/errors.ts';
import type { Account } from '../schema.ts';
import type { Credentials, SignInMethod } from './method.ts';

/**
 * Asks the methods of the password form in their order.
 * @throws CREDENTIALS_INVALID when none of them knows the person, ACCOUNT_DISABLED when the credentials are right
 */
export async function authenticate(
  methods: readonly SignInMethod[],
  credentials: Credentials,
): Promise<{ account: Account; method: LoginMethod }> {
  for (const { name, authenticate: ask } of methods) {
    const account = await ask?.(credentials);
    if (!account) continue;
    if (account.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
    return { account, method: name };
  }
  throw appError('CREDENTIALS_INVALID');
}
