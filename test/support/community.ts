import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Kysely, sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { createCommunity } from '../../server/community/app.ts';
import { flush } from '../../server/community/catalogue/counters/flush.ts';
import { createViewCounter, type ViewCounting } from '../../server/community/catalogue/counters/views.ts';
import type { UpdatePolicy } from '../../server/community/catalogue/installations/update-age.ts';
import type { JapaneseReader } from '../../server/community/catalogue/japanese/reader.ts';
import { UNREAD } from '../../server/community/catalogue/search/query.ts';
import type { Prove } from '../../server/community/catalogue/verification/proof.ts';
import type { SiteSettings } from '../../server/community/curation/site/store.ts';
import type { AccountSettings } from '../../server/community/curation/third-party-accounts/routes.ts';
import type { FileStore } from '../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { RightsSource } from '../../server/community/people/auth/owner-rights.ts';
import type { Publishers } from '../../server/community/people/policy.ts';
import type { PublishQuotas } from '../../server/community/publishing/publish/limits.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import type { Pool } from '../../server/database/pool.ts';
import { publishGrantCalls } from '../../shared/identity-calls.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, JWKS_PATH } from '../../shared/user-service.ts';
import { testDatabase } from './database.ts';
import { GATEWAY_TO_COMMUNITY, SERVICE_KEYS } from './service-keys.ts';
import { until } from './until.ts';

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => Promise<void> | void): void;
}

/** A stub of the identity service: a key pair, whose public key and publish grants are served over HTTP. */
export interface TokenIssuer {
  jwksUrl: string;
  /** Its address. */
  url: string;
  /** Current role of a user's grants, or null for ended grants; by default the role of the access token. */
  rights: Map<number, 0 | 1 | 2 | null>;
  /** A signed access token; undefined claims are left out. */
  sign(claims?: Record<string, unknown>, header?: { typ?: string }): Promise<string>;
}

export async function testTokenIssuer(t: Teardown): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA' }] });
  const rights = new Map<number, 0 | 1 | 2 | null>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const data = grantAnswer(rights, request.url, {
      authorization: request.headers.authorization ?? '',
      body,
    });
    response.setHeader('content-type', 'application/json');
    response.end(data ? JSON.stringify({ code: 0, message: 'ok', data }) : jwks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.closeAllConnections());
  t.teardown(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    jwksUrl: `http://127.0.0.1:${port}${JWKS_PATH}`,
    url: `http://127.0.0.1:${port}`,
    rights,
    sign: (claims = {}, header = undefined) => signToken(privateKey, claims, header),
  };
}

/** A grant of this stub is the user id and the role in plain text. */
function grantAnswer(
  rights: TokenIssuer['rights'],
  path: string | undefined,
  { authorization, body }: { authorization: string; body: string },
) {
  if (path === `/${publishGrantCalls.issue.path}`) {
    const { sub, role } = decodeJwt<{ role: number }>(authorization.replace(/^Bearer /, ''));
    return { grant: `${sub}:${role}`, role: rights.get(Number(sub)) ?? role, signed_out_at: null };
  }
  if (path !== `/${publishGrantCalls.check.path}`) return undefined;
  const { grant_list }: { grant_list: string[] } = JSON.parse(body);
  const role_list = grant_list.map((grant) => {
    const [userId, role] = grant.split(':').map(Number);
    const known = rights.get(userId ?? 0);
    return known === undefined ? role : known;
  });
  return { role_list };
}

/** Signs the claims of an access token with any key, so that tests can forge tokens. */
export function signToken(
  key: CryptoKey,
  claims: Record<string, unknown>,
  header: { typ?: string } = { typ: 'at+jwt' },
): Promise<string> {
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
  return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid: 'test', ...header }).sign(key);
}

/** Address of the site in signatures. */
export const SITE = 'https://plugins.example';

/** A running community service with its own database. */
export interface TestCommunity {
  app: FastifyInstance;
  /** Its address. */
  url: string;
  db: Kysely<CommunityTables>;
  pool: Pool;
  dataDir: string;
  issuer: TokenIssuer;
  /** Header of a signed-in user; role 0 by default. */
  bearer(userId: number, role?: 0 | 1 | 2): Promise<{ authorization: string }>;
}

/** Counts views of an instance of its own, so far none. */
export function noViews(now: () => number = Date.now, max?: number): ViewCounting {
  const [key = Buffer.alloc(32)] = SERVICE_KEYS;
  return createViewCounter({ key, now, ...(max !== undefined && { max }) });
}

/** No limits, for tests that are not about limits. */
const UNLIMITED: PublishQuotas = { limits: [], quotaBytes: 2 ** 30 };

const ILLITERATE: JapaneseReader = {
  readNames: async (names) => names.map(() => []),
  readKeyword: async () => UNREAD,
  close: async () => undefined,
};

export async function testCommunity(
  t: Teardown,
  options: {
    publishers?: Publishers;
    editors?: readonly string[];
    reviewsOwn?: boolean;
    updates?: UpdatePolicy;
    fourEyes?: boolean;
    /** Looks for the proof of a domain. */
    prove?: Prove;
    /** Reads Japanese; nobody does by default, as a dictionary takes its time. */
    japanese?: JapaneseReader;
    publishing?: PublishQuotas;
    now?: () => number;
    perf?: { now: () => number };
    jwksUrl?: string;
    toolIssuer?: string;
    /** Address of the site in signatures. */
    publicUrl?: string;
    identityUrl?: string;
    publishRights?: RightsSource;
    dataDir?: string;
    files?: FileStore;
    accounts?: AccountSettings;
    siteSettings?: SiteSettings;
    onTags?: (hasTags: boolean) => void;
    log?: Logger;
    /** If approvals without a signature are signed in the background. */
    signsEarlier?: boolean;
    /** Database to copy; empty by default. */
    template?: string;
    /** Another instance, whose database and folder it shares. */
    beside?: TestCommunity;
  } = {},
): Promise<TestCommunity> {
  const { beside } = options;
  const { db, pool } =
    beside ??
    (await testDatabase<CommunityTables>(t, {
      schema: COMMUNITY_SCHEMA,
      migrations: communityMigrations,
      name: 'community',
      ...(options.template !== undefined && { template: options.template }),
    }));
  const { publishers = 'admins', publishing = UNLIMITED, now = Date.now } = options;
  // Caches have their own clock, which follows this one.
  const perf = options.perf ?? { now };
  const issuer = beside?.issuer ?? (await testTokenIssuer(t));
  const { jwksUrl = issuer.jwksUrl, identityUrl = issuer.url } = options;
  const dataDir = options.dataDir ?? beside?.dataDir ?? (await testFolder(t));
  const { files, accounts, log = pino({ level: 'silent' }), publishRights = 'identity' } = options;
  const { siteSettings = null, reviewsOwn = false, signsEarlier = false, onTags, toolIssuer } = options;
  const given = {
    pool,
    log,
    now,
    perf,
    dataDir,
    jwksUrl,
    toolIssuer,
    identityUrl,
    serviceKeys: SERVICE_KEYS,
    publishRights,
    publishers,
    publicUrl: options.publicUrl ?? SITE,
    publishing,
    signsEarlier,
  };
  const chosen = { ...(files && { files }), ...(accounts && { accounts }), ...(onTags && { onTags }) };
  const known = {
    ...(options.editors && { editors: options.editors }),
    ...(options.updates && { updates: options.updates }),
    ...(options.fourEyes && { fourEyes: true }),
    ...(options.prove && { prove: options.prove }),
  };
  // Tests store their data themselves, and say when changes are read.
  const quiet = {
    makesCovers: false,
    followsAccounts: false,
    tellsInstallers: false,
    rechecksDomains: false,
    readsNames: false,
    japanese: options.japanese ?? ILLITERATE,
  };
  const app = await createCommunity({ ...given, ...quiet, siteSettings, reviewsOwn, ...chosen, ...known });
  t.teardown(() => app.close());
  comeAsGateway(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const bearer = async (userId: number, role: 0 | 1 | 2 = 0) => ({
    authorization: `Bearer ${await issuer.sign({ sub: String(userId), role })}`,
  });
  return { app, url, db, pool, dataDir, issuer, bearer };
}

/** Calls over HTTP without a bearer come as from the gateway; those of `app.inject` from a stranger. */
export function comeAsGateway(app: FastifyInstance): void {
  app.server.prependListener('request', ({ headers }) => {
    headers.authorization ??= GATEWAY_TO_COMMUNITY;
  });
}

/** An empty folder that is deleted after the test. */
export async function testFolder(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'community-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Does the deferred work of a service until nothing is pending. The service flushes by itself as well, and rows that it has
 * locked at that moment are skipped by a single flush.
 */
export async function flushAll(db: Kysely<CommunityTables>, now: () => number = Date.now): Promise<void> {
  await until(async () => {
    await flush(db, noViews(), now);
    const { rows } = await sql<{ isDone: boolean }>`
      select not (exists (select from search_pending) or exists (select from popularity_change)
        or exists (select from tally_change) or exists (select from figure_change)
        or exists (select from publisher_pending)) as "isDone"`.execute(db);
    return rows[0]?.isDone;
  });
}
