import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';

type Context = Pick<IdentityContext, 'encryptor'>;

/** A secret as it is stored. The account is bound to it: moved to another one it opens no more. */
export function encryptSecret({ encryptor }: Context, userId: number, secret: string): string {
  return encryptor.encrypt(secret, labelOf(userId));
}

/** @throws SERVICE_UNAVAILABLE when the key that it was encrypted with is gone; recovery codes still work then */
export function decryptSecret({ encryptor }: Context, userId: number, encryptedSecret: string): string {
  const secret = encryptor.decrypt(encryptedSecret, labelOf(userId));
  if (secret !== undefined) return secret;
  throw appError('SERVICE_UNAVAILABLE', {
    cause: new Error('a second factor does not open: the key that it was encrypted with is gone'),
  });
}

const labelOf = (userId: number): string => `second factor of ${userId}`;
