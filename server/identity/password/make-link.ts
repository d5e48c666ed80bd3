import { RESET_PATH } from '../../../shared/constants.ts';
import type { IdentityContext } from '../context.ts';
import type { IdentityDb } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import { insertLink } from './store.ts';

/**
 * Makes the address by which a user sets a new password, once. The token stands in the fragment, which browsers send
 * to nobody, and only its hash is stored. `lifetime` in milliseconds.
 */
export async function makeLink(
  db: IdentityDb,
  { now, random, publicUrl }: Pick<IdentityContext, 'now' | 'random' | 'publicUrl'>,
  { userId, lifetime }: { userId: number; lifetime: number },
): Promise<{ link: string; expires_at: Date }> {
  const token = newSecret(random);
  const expires_at = new Date(now() + lifetime);
  await insertLink(db, { token_hash: secretHash(token), user_id: userId, expires_at });
  return { link: `${publicUrl}${RESET_PATH}#${token}`, expires_at };
}
