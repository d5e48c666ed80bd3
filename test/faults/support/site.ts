import type { FileStore } from '../../../server/community/media/files.ts';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { type Browser, loginParameters } from '../../support/browser.ts';
import { testCommunity } from '../../support/community.ts';
import { startGateway } from '../../support/gateway.ts';
import { PUBLIC_URL, signUp, testIdentity } from '../../support/identity.ts';
import { freePort } from '../../support/port.ts';
import { openEdge } from './edge.ts';

type Test = Parameters<typeof startGateway>[0] & { teardown(work: () => Promise<void> | void): void };

export const PLUGIN = 'colour-steps';

/** A gateway, a community service and identity, each reaching the others through an edge. */
export async function openSite(t: Test, { files }: { files?: FileStore } = {}) {
  const identityPort = await freePort();
  const identityEdge = await openEdge(t, { host: '127.0.0.1', port: identityPort });
  const community = await testCommunity(t, {
    jwksUrl: `${identityEdge.url}${JWKS_PATH}`,
    identityUrl: identityEdge.url,
    ...(files && { files }),
  });
  const communityEdge = await openEdge(t, { host: '127.0.0.1', port: Number(new URL(community.url).port) });
  const gateway = await startGateway(t, {
    settings: { PUBLIC_URL, RATE_LIMIT_FACTOR: '0' },
    upstreams: { community: communityEdge.url, identity: identityEdge.url },
  });
  const identity = await testIdentity(t, { gatewayUrl: gateway.url });
  await identity.app.listen({ host: '127.0.0.1', port: identityPort });
  await addPlugin(community.db, {
    key: PLUGIN,
    name: { 'en-US': 'Colour steps' },
    description: { 'en-US': 'Steps of a colour. '.repeat(2000) },
  });
  const person = await signUp(identity.app);

  /** The browser has typed the password and been led back; answers what the way back answered. */
  async function signIn(browser: Browser) {
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    const body = JSON.stringify({
      account: person.email,
      password: person.password,
      ...loginParameters(started),
    });
    const typed = await browser.call('/user/page/sign_in', { method: 'POST', body });
    if (typed.status !== 200) return typed;
    const { pathname, search } = new URL(String(typed.json().data.continue_to));
    return browser.visit(pathname + search, { site: 'same-origin' });
  }
  return { gateway, community, communityEdge, identityEdge, signIn };
}
