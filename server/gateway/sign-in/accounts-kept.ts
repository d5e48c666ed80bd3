import type { GatewayConfig } from '../options.ts';
import { isOwnLoginPage } from './login-origin.ts';

/**
 * Whether the accounts are those of our own identity service: it runs here, or at IDENTITY_URL with our own sign-in page,
 * which no other service answers.
 */
export function keepsAccounts(config: GatewayConfig): boolean {
  if (config.auth.provider !== 'user-service') return false;
  return config.upstreams.identity === undefined || isOwnLoginPage(config);
}
