import { createHash } from 'node:crypto';
import { CALLBACK_PATH } from '../../../shared/constants.ts';
import { authRoutes } from '../../../shared/routes/auth.ts';
import type { GatewayConfig } from '../options.ts';
import type { LoginWish } from './provider.ts';
import type { Transaction } from './transaction.ts';

/** Under which name a sign-in keeps the verifier of its code challenge (RFC 7636). */
export const VERIFIER = 'verifier';

/** The path that begins a sign-in with these parameters of `GET /api/auth/login`. */
export function startPath(parameters: Record<string, string>): string {
  return `${authRoutes.startLogin.path}?${new URLSearchParams(parameters)}`;
}

/** Where the login page leads back to: the contract has no `state`, so the nonce of the sign-in travels in it. */
export function callbackUrl({ publicUrl }: Pick<GatewayConfig, 'publicUrl'>, nonce: string): string {
  const callback = new URL(CALLBACK_PATH, publicUrl);
  callback.searchParams.set('nonce', nonce);
  return callback.href;
}

/**
 * The login page's address with its parameters (specification section 2). The challenge binds the code that comes back
 * to this browser, whose sealed transaction has the verifier. The page knows no force flag: it asks who signs in anyway.
 */
export function loginUrl(
  config: Pick<GatewayConfig, 'login' | 'publicUrl'>,
  { nonce, ux_mode, secrets }: Pick<Transaction, 'nonce' | 'ux_mode' | 'secrets'>,
  { force: _, ...wish }: LoginWish,
): string {
  const { login } = config;
  const url = new URL(login.url);
  const parameters = {
    response_type: 'code',
    redirect_uri: callbackUrl(config, nonce),
    code_challenge: createHash('sha256')
      .update(secrets[VERIFIER] ?? '')
      .digest('base64url'),
    code_challenge_method: 'S256',
    from: login.from,
    channel: login.channel,
    product: login.product,
    ux_mode,
    ...wish,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
