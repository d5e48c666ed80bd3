import type { FastifyBaseLogger } from 'fastify';
import type { LoginMethod } from '../../../shared/entities/user.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { type Arrived, arrive } from '../external/arrive.ts';
import { originOf } from '../third-party/document-service.ts';
import type { Credentials, SignInMethod } from './method.ts';

/** What was typed, and what the page was opened with. */
type Typed = Credentials & Parameters<typeof originOf>[1];

export type Authenticated = Arrived & { method: LoginMethod; source: string };

/**
 * Asks the methods of the password form in their order. A directory that cannot be asked does not keep the others from
 * being asked; it is told only when none of them knows the person.
 * @throws CREDENTIALS_INVALID when none of them knows the person, SERVICE_UNAVAILABLE when one could not be asked,
 *   ACCOUNT_DISABLED when the credentials are right, SSO_ACCOUNT_UNKNOWN
 */
export async function authenticate(
  identity: IdentityContext,
  credentials: Typed,
  log: FastifyBaseLogger,
): Promise<Authenticated> {
  let unavailable: unknown;
  for (const method of identity.methods) {
    try {
      const arrived = await ask(identity, method, credentials, log);
      if (arrived) return { ...arrived, method: method.name, source: method.source };
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      log.error({ err: error.cause ?? error, source: method.source }, 'a sign-in method cannot be asked');
      unavailable = error;
    }
  }
  throw unavailable ?? appError('CREDENTIALS_INVALID');
}

async function ask(
  identity: IdentityContext,
  method: SignInMethod,
  credentials: Typed,
  log: FastifyBaseLogger,
): Promise<Arrived | undefined> {
  if (method.kind === 'redirect') return undefined;
  if (method.kind === 'password') {
    const person = await method.authenticate(credentials);
    const { directory } = method;
    const origin = originOf(identity.methods, credentials);
    return person && arrive(identity, { directory, person, origin }, log);
  }
  const account = await method.authenticate(credentials);
  if (!account) return undefined;
  if (account.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  return { account };
}
