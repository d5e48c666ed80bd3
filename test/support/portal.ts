import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { CustomSsoSettings } from '../../server/identity/sign-in/federation/settings-schema.ts';
import { ask, CALLBACK, type TestIdentity } from './identity.ts';
import { GATEWAY_TO_IDENTITY } from './service-keys.ts';

const SOURCE = 'portal';

/** A customer's portal that signs users in with a token (method `custom_sso`). */
export async function openPortal() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const settings: CustomSsoSettings & { source: string } = {
    method: 'custom_sso',
    source: SOURCE,
    login_url: 'https://portal.example/hand-over',
    issuer: SOURCE,
    audience: 'plugin-square',
    public_key: await exportSPKI(publicKey),
  };
  let tokens = 0;

  /** Address for a user from the portal. */
  async function handOver(
    { app, clock }: Pick<TestIdentity, 'app' | 'clock'>,
    person: { sub: string; email?: string; name?: string },
  ): Promise<URL> {
    tokens += 1;
    const begun = await ask(app, 'POST /user/page/sso', { body: { source: SOURCE, redirect_uri: CALLBACK } });
    const state = new URL(String(begun.body.data.go_to)).searchParams.get('state') ?? '';
    const at = Math.floor(clock.now / 1000);
    const token = await new SignJWT({ name: 'Ada', ...person })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(SOURCE)
      .setAudience('plugin-square')
      .setJti(`t-${tokens}`)
      .setIssuedAt(at)
      .setExpirationTime(at + 60)
      .sign(privateKey);
    const query = new URLSearchParams({ state, token });
    const answer = await app.inject({
      url: `/user/sso/${SOURCE}/callback?${query}`,
      headers: { authorization: GATEWAY_TO_IDENTITY },
    });
    return new URL(String(answer.headers.location));
  }
  return { settings, handOver };
}
