import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Kysely } from 'kysely';
import { type Logger, pino } from 'pino';
import { createCommunity } from '../../server/community/app.ts';
import type { Publishers } from '../../server/community/auth/caller.ts';
import type { FileStore } from '../../server/community/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { PublishQuotas } from '../../server/community/publish/rules/limits.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import type { Pool } from '../../server/database/pool.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, JWKS_PATH } from '../../shared/user-service.ts';
import { testDatabase } from './database.ts';

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => Promise<void> | void): void;
}

/** A stand-in for the identity service: a key pair, and its public half served over HTTP. */
export interface TokenIssuer {
  jwksUrl: string;
  /** A signed access token; undefined claims are left out. */
  sign(claims?: Record<string, unknown>): Promise<string>;
}

export async function testTokenIssuer(t: Teardown): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA' }] });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(jwks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.closeAllConnections());
  t.teardown(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    jwksUrl: `http://127.0.0.1:${port}${JWKS_PATH}`,
    sign: (claims = {}) => signToken(privateKey, claims),
  };
}

/** Signs the claims of design section 4 with any key, so that tests can forge. */
export function signToken(key: CryptoKey, claims: Record<string, unknown>): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  const payload = {
    iss: ACCESS_TOKEN_ISSUER,
    aud: ACCESS_TOKEN_AUDIENCE,
    sub: '7',
    role: 0,
    nick_name: 'Ada',
    avatar_url: '',
    iat: seconds,
    exp: seconds + 900,
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid: 'test' }).sign(key);
}

/** A running community service on a database of its own. */
export interface TestCommunity {
  app: FastifyInstance;
  /** Where it listens. */
  url: string;
  db: Kysely<CommunityTables>;
  pool: Pool;
  dataDir: string;
  issuer: TokenIssuer;
  /** A signed-in person's header; role 0 unless given. */
  bearer(userId: number, role?: 0 | 1 | 2): Promise<{ authorization: string }>;
}

/** Tests that are not about limits hand in as often as they like. */
const UNLIMITED: PublishQuotas = { limits: [], quotaBytes: 2 ** 30 };

export async function testCommunity(
  t: Teardown,
  options: {
    publishers?: Publishers;
    publishing?: PublishQuotas;
    now?: () => number;
    jwksUrl?: string;
    dataDir?: string;
    files?: FileStore;
    log?: Logger;
  } = {},
): Promise<TestCommunity> {
  const { db, pool } = await testDatabase<CommunityTables>(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    name: 'community',
  });
  const { publishers = 'admins', publishing = UNLIMITED, now = Date.now } = options;
  const issuer = await testTokenIssuer(t);
  const jwksUrl = options.jwksUrl ?? issuer.jwksUrl;
  const dataDir = options.dataDir ?? (await testFolder(t));
  const { files, log = pino({ level: 'silent' }) } = options;
  const given = { pool, log, now, dataDir, jwksUrl, publishers, publishing };
  const app = await createCommunity({ ...given, ...(files && { files }) });
  t.teardown(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const bearer = async (userId: number, role: 0 | 1 | 2 = 0) => ({
    authorization: `Bearer ${await issuer.sign({ sub: String(userId), role })}`,
  });
  return { app, url, db, pool, dataDir, issuer, bearer };
}

/** An empty folder that goes when the test ends. */
export async function testFolder(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'community-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
