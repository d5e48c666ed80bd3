import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { secretHash } from '../secret.ts';
import { insertExternal, takePendingBind } from './store.ts';

/**
 * Binds a sign-in of another directory to the account that has its e-mail address, once the person has signed in to
 * that account (specification section 7, 3rd-party/bind).
 * @throws BIND_REFUSED when it has run out, was used, or belongs to another account
 */
export async function bindPending(
  { db, now }: Pick<IdentityContext, 'db' | 'now'>,
  { id, userId }: { id: string; userId: number },
): Promise<void> {
  const at = new Date(now());
  await db.transaction().execute(async (transaction) => {
    const pending = await takePendingBind(transaction, { idHash: secretHash(id), userId, at });
    const isBound = pending && (await insertExternal(transaction, { ...pending, userId, at }));
    if (!isBound) throw appError('BIND_REFUSED');
  });
}
