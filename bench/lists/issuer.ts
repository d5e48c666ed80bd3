import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, SignJWT } from 'jose';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, ACCESS_TOKEN_TYPE } from '../../shared/user-service.ts';

/** Signs tokens with the keys of an identity service. */
export type Issuer = {
  jwksUrl: string;
  headersOf(userId: number, role: 0 | 1 | 2): Promise<Record<string, string>>;
  close(): void;
};

export async function openIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'EdDSA' }] });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(jwks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const sign = (userId: number, role: 0 | 1 | 2) =>
    new SignJWT({ role, nick_name: `Person ${userId}`, avatar_url: '' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'bench', typ: ACCESS_TOKEN_TYPE })
      .setIssuer(ACCESS_TOKEN_ISSUER)
      .setAudience(ACCESS_TOKEN_AUDIENCE)
      .setSubject(String(userId))
      .setIssuedAt()
      .setExpirationTime('6h')
      .sign(privateKey);
  return {
    jwksUrl: `http://127.0.0.1:${port}/jwks`,
    headersOf: async (userId, role) => ({ authorization: `Bearer ${await sign(userId, role)}` }),
    close: () => void server.close(),
  };
}
