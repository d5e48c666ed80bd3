import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';

type Means = Pick<IdentityContext, 'sealed'>;

/** A secret as it is stored. The account is bound to it: moved to another one it opens no more. */
export function sealSecret({ sealed }: Means, userId: number, secret: string): string {
  return sealed.seal(secret, labelOf(userId));
}

/** @throws SERVICE_UNAVAILABLE when the key that it was sealed with is gone; recovery codes still work then */
export function openSecret({ sealed }: Means, userId: number, sealedSecret: string): string {
  const secret = sealed.open(sealedSecret, labelOf(userId));
  if (secret !== undefined) return secret;
  throw appError('SERVICE_UNAVAILABLE', {
    cause: new Error('a second factor does not open: the key that it was sealed with is gone'),
  });
}

const labelOf = (userId: number): string => `second factor of ${userId}`;
