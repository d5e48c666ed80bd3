import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type StubUpstream, stubAnswer } from '../support/stub-upstream.ts';
import { USER } from '../support/user-service.ts';

export const CLIENT = { id: 'conformance', secret: 'conformance-secret-of-some-length' };

/** A scripted OpenID Connect provider: one code for each sign-in. */
export type Provider = {
  settings: Readonly<Record<string, string>>;
  /** Claims that the next ID token overrides. */
  claims: JWTPayload;
  /** Session id of the latest ID token. */
  sid: string;
  /** Received verifiers, hashed like their challenges. */
  challenges: string[];
  sign(claims: JWTPayload, header?: { typ?: string }): Promise<string>;
  /** The callback URL after a sign-in at the provider. */
  answerTo(authorization: URL): string;
};

/** Scripts discovery, keys and token endpoint. */
export async function scriptProvider(identity: StubUpstream): Promise<Provider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const issuer = identity.url;
  const nonces = new Map<string, string>();
  const plain = (body: unknown) => stubAnswer(200, body);
  const provider: Provider = {
    settings: {
      AUTH_PROVIDER: 'oidc',
      COMMUNITY_URL: 'http://community.example',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    },
    claims: {},
    sid: '',
    challenges: [],
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k', ...header }).sign(privateKey),
    answerTo(authorization) {
      const code = `code-${randomUUID()}`;
      nonces.set(code, authorization.searchParams.get('nonce') ?? '');
      const back = new URL(authorization.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      const state = authorization.searchParams.get('state');
      if (state !== null) back.searchParams.set('state', state);
      back.searchParams.set('iss', issuer);
      return back.pathname + back.search;
    },
  };
  identity.on('GET /.well-known/openid-configuration', () =>
    plain({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  );
  identity.on('GET /jwks', () => plain({ keys: [jwk] }));
  identity.on('GET /me', () => plain({ sub: '7', name: 'Ada', email: USER.email }));
  identity.on('POST /token', async ({ body }) => {
    const form = new URLSearchParams(body.toString());
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    provider.challenges.push(verifier.digest('base64url'));
    provider.sid = randomUUID();
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: issuer, aud: CLIENT.id, sub: '7', sid: provider.sid, iat: now, exp: now + 300 };
    const nonce = nonces.get(form.get('code') ?? '');
    const idToken = { ...standard, nonce, name: 'Ada', email: USER.email, ...provider.claims };
    return plain({
      access_token: `CANARY-access-${randomUUID()}`,
      refresh_token: `CANARY-refresh-${randomUUID()}`,
      token_type: 'Bearer',
      expires_in: 900,
      id_token: await provider.sign(idToken),
    });
  });
  return provider;
}
