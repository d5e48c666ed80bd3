import type { IdentityContext } from '../context.ts';
import type { IdentityDb } from '../schema.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { insertSecondFactor, replaceRecoveryCodes } from './store.ts';

type Context = Pick<IdentityContext, 'now' | 'random'>;

/**
 * Turns the second factor of a user on, within the caller's transaction.
 * @returns the recovery codes, which are told this once; undefined when it was on already
 */
export async function turnOn(
  db: IdentityDb,
  context: Context,
  { userId, encryptedSecret, step }: { userId: number; encryptedSecret: string; step: number },
): Promise<string[] | undefined> {
  const at = new Date(context.now());
  if (!(await insertSecondFactor(db, { userId, encryptedSecret, step, at }))) return undefined;
  return renewedCodes(db, context, userId);
}

/** New recovery codes in the place of all earlier ones. */
export async function renewedCodes(db: IdentityDb, { random }: Context, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes(random);
  await replaceRecoveryCodes(
    db,
    userId,
    codes.flatMap((code) => recoveryHash(code) ?? []),
  );
  return codes;
}
