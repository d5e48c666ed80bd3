import { LOGIN_PATH } from '../../../shared/constants.ts';
import type { GatewayConfig } from '../options.ts';

/**
 * Whether the accounts are those of our own identity service: it runs here, or at IDENTITY_URL with our own sign-in page,
 * which no other service answers.
 */
export function keepsAccounts({ auth, upstreams, login, publicUrl }: GatewayConfig): boolean {
  if (auth.provider !== 'user-service') return false;
  return upstreams.identity === undefined || login.url === `${publicUrl}${LOGIN_PATH}`;
}
