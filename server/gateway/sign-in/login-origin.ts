import { LOGIN_PATH } from '../../../shared/constants.ts';
import type { GatewayConfig } from '../options.ts';

/** Origin of the login page, which may stand in a frame of ours. */
export function loginOrigin({ auth, login }: Pick<GatewayConfig, 'auth' | 'login'>): string {
  return new URL(auth.provider === 'oidc' ? (auth.oidc.issuer ?? login.url) : login.url).origin;
}

/** Whether people sign in on the page of our own identity service; its address may hold a query. */
export function isOwnLoginPage({
  auth,
  login,
  publicUrl,
}: Pick<GatewayConfig, 'auth' | 'login' | 'publicUrl'>) {
  if (auth.provider !== 'user-service') return false;
  const { origin, pathname } = new URL(login.url);
  return origin + pathname === publicUrl + LOGIN_PATH;
}
