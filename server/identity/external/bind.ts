import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { BIND_LIFETIME } from '../lifetimes.ts';
import { newSecret, secretHash } from '../secret.ts';
import { findExternal, insertExternal, insertPendingBind, takePendingBind } from './store.ts';

type Means = Pick<IdentityContext, 'db' | 'now' | 'random'>;

/** Keeps a sign-in of another directory until its person has shown that the account is his. Answers the bind's id. */
export async function pendingBind(
  { db, now, random }: Means,
  pending: { source: string; subject: string; userId: number },
): Promise<string> {
  const id = newSecret(random);
  const expiresAt = new Date(now() + BIND_LIFETIME);
  await insertPendingBind(db, { ...pending, idHash: secretHash(id), expiresAt });
  return id;
}

/**
 * Binds a sign-in of another directory to an account, once its person has signed in to that (specification section 7,
 * 3rd-party/bind). Bound to it already is as good.
 * @throws BIND_REFUSED when it has run out, was used, or belongs to another account
 */
export async function bindPending(
  { db, now }: Pick<Means, 'db' | 'now'>,
  { id, userId }: { id: string; userId: number },
): Promise<void> {
  const at = new Date(now());
  await db.transaction().execute(async (transaction) => {
    const pending = await takePendingBind(transaction, { idHash: secretHash(id), userId, at });
    if (!pending) throw appError('BIND_REFUSED');
    if (await insertExternal(transaction, { ...pending, userId, at })) return;
    const owner = await findExternal(transaction, pending.source, pending.subject);
    if (owner?.user_id !== userId) throw appError('BIND_REFUSED');
  });
}
