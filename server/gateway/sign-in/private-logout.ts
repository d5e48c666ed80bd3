import type { FastifyBaseLogger } from 'fastify';
import { isPrivate } from '../../../shared/deploy-types.ts';
import type { GatewayConfig } from '../options.ts';
import { type Session, sessionHash } from '../session/session.ts';
import { isObject } from '../upstream/ask.ts';
import type { UserService } from './user-service.ts';

/** Logout mode of a private entry that sends the browser on (specification section 3). */
const REDIRECT_MODE = 1;
const URL_LENGTH = 2048;

/** Only private deployments sign out by redirect, and only people who came by a method of their own. */
export function mayLeaveByRedirect(
  { deployType }: Pick<GatewayConfig, 'deployType'>,
  session: Session,
): boolean {
  return isPrivate(deployType) && session.login_method !== null;
}

/**
 * Where the browser goes after a sign-out: `logout_url` of the `{method}-private` entry, when that asks for it
 * (specification section 4). What keeps us from knowing is logged, and the sign-out goes on.
 */
export async function privateLogoutUrl(
  userService: UserService,
  { login, log }: { login: GatewayConfig['login']; log: FastifyBaseLogger },
  session: Session,
): Promise<string | null> {
  const name = `${session.login_method}-private`;
  try {
    const answer = await userService.call('privateConfig', {
      params: { product: login.product },
      bearer: session.access_token,
      reads: name,
    });
    if (!answer.ok) throw new Error(`private config answered ${answer.status}`);
    const entry = answer.data[name];
    if (!isObject(entry) || Number(entry.logout_mode) !== REDIRECT_MODE) return null;
    const url = webAddress(entry.logout_url);
    if (url === null) log.warn({ method: session.login_method }, 'logout_url is no web address');
    return url;
  } catch (error) {
    log.warn({ err: error, session: sessionHash(session) }, 'private config not read');
    return null;
  }
}

/** An absolute http(s) address without credentials, in the form the URL standard gives it; null for anything else. */
export function webAddress(value: unknown): string | null {
  if (
    typeof value !== 'string' ||
    value.length > URL_LENGTH ||
    !/^https?:\/\/[^\s\\\p{Cc}\p{Cf}]+$/iu.test(value)
  ) {
    return null;
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && url.username === '' && url.password === '' ? url.href : null;
}
