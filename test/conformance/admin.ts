import { type Browser, loginParameters } from '../support/browser.ts';
import type { Context, Target } from './check.ts';
import type { RealServices } from './real-services.ts';

/** A gateway with this product's services, and a browser in which their super administrator is signed in. */
export async function signedInAdmin({
  realServices,
  start,
  browser,
  dialect,
}: Context): Promise<{ services: RealServices; target: Target; opened: Browser }> {
  const services = await realServices();
  const { identity, community: upstream, settings } = services;
  const target = await start({ identity, upstream, settings });
  const opened = browser(target);
  const parameters = loginParameters(await opened.visit(`${dialect.loginPath}%2Fplugins%2F`));
  const callback = new URL(parameters.redirect_uri ?? '');
  callback.searchParams.set('code', await services.codeFor(parameters));
  await opened.visit(callback.pathname + callback.search, { site: 'same-origin' });
  return { services, target, opened };
}
