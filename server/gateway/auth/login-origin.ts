import type { GatewayConfig } from '../options.ts';

/** Origin of the login page, which may stand in a frame of ours. */
export function loginOrigin({ auth, login }: Pick<GatewayConfig, 'auth' | 'login'>): string {
  return new URL(auth.provider === 'oidc' ? (auth.oidc.issuer ?? login.url) : login.url).origin;
}
