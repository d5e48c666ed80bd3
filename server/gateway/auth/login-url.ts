import { CALLBACK_PATH } from '../../../shared/constants.ts';
import type { GatewayConfig } from '../options.ts';
import type { LoginWish } from './provider.ts';
import type { Transaction } from './transaction.ts';

/**
 * The login page's address with its parameters (specification section 2). The contract has no `state`, so the nonce
 * that binds the answer to this browser travels in our own redirect_uri.
 */
export function loginUrl(
  config: Pick<GatewayConfig, 'login' | 'publicUrl'>,
  { nonce, ux_mode }: Pick<Transaction, 'nonce' | 'ux_mode'>,
  wish: LoginWish,
): string {
  const { login, publicUrl } = config;
  const callback = new URL(CALLBACK_PATH, publicUrl);
  callback.searchParams.set('nonce', nonce);
  const url = new URL(login.url);
  const parameters = {
    response_type: 'code',
    redirect_uri: callback.href,
    from: login.from,
    channel: login.channel,
    product: login.product,
    ux_mode,
    ...wish,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
