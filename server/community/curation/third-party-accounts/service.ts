import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Perf } from 'lru-cache';
import { type TSchema, Type } from 'typebox';
import { serviceCalls } from '../../../../shared/routes/settings.ts';
import { openKysely, type Pool } from '../../../database/pool.ts';
import { createApp } from '../../../http/app.ts';
import { bearerIn, tokenInvalid, unauthenticated } from '../../../http/authentication.ts';
import { networkOf, plainAddress } from '../../../http/client-address.ts';
import { appError, retryLater } from '../../../http/errors.ts';
import { createLocalCount, type WindowLimit } from '../../../http/rate-limit.ts';
import type { CommunityTables } from '../../schema.ts';
import { loadSecretEncryptor } from '../../secrets.ts';
import { type AccountName, type OpenedAccount, openAccount } from './accounts.ts';

/** A service that may read accounts: its name for the log, and the SHA-256 of its token. */
type ServiceToken = { name: string; hash: Buffer };

type Options = {
  /** Connections that work in the schema `community`. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** The clock of the rate limit; the process's own by default. */
  perf?: Perf;
  /** Keys that the accounts are encrypted with; those of the data folder by default. */
  keys?: readonly Buffer[];
  dataDir: string;
  tokens: readonly ServiceToken[];
};

/**
 * The service for the design tool's server, on a separate port that the gateway does not use: third-party accounts with their
 * secrets, with a service token only.
 */
export function createAccountService({ pool, log, perf, keys, dataDir, tokens }: Options): FastifyInstance {
  const app = createApp({ log });
  const db = openKysely<CommunityTables>(pool);
  const encryptor = loadSecretEncryptor('third-party accounts', { configured: keys, dataDir });
  const serviceOf = createTokenReader(tokens, perf);

  function serve(
    { path, data }: { path: string; data: TSchema },
    name: AccountName,
    wire: (account: Opened) => object,
  ): void {
    const schema = Type.Object({ code: Type.Integer(), message: Type.String(), data });
    app.get(path, { schema: { response: { 200: schema } } }, async (request, reply) => {
      const service = await serviceOf(request);
      const account = await openAccount({ db, encryptor }, name);
      if (account.state === 'not_opened') {
        const cause = new Error(
          `${name} was encrypted with a key that is neither in ACCOUNT_KEYS nor in DATA_DIR/account-keys`,
        );
        throw appError('SERVICE_UNAVAILABLE', { cause });
      }
      const isFound = account.state === 'opened';
      request.log.info({ event: 'account_read', service, account: name, found: isFound }, 'account read');
      reply.header('cache-control', 'no-store');
      return { code: 0, message: 'ok', data: { account: isFound ? wire(account) : null } };
    });
  }
  serve(serviceCalls.readIconFontAccount, 'icon_font', ({ clientId, secret, updatedAt }) => ({
    client_id: clientId,
    client_secret: secret,
    updated_at: updatedAt.toISOString(),
  }));
  serve(serviceCalls.readStockPhotoAccount, 'stock_photo', ({ secret, updatedAt }) => ({
    api_key: secret,
    updated_at: updatedAt.toISOString(),
  }));
  return app;
}

type Opened = Extract<OpenedAccount, { state: 'opened' }>;

/** Failed attempts per address; further ones get 429. */
const FAILURES: WindowLimit = { max: 10, window: 60_000 };

/**
 * Authenticates a service by its token. A token cannot be guessed, so the rate limit only bounds the cost of failed
 * attempts; a valid token always passes, since a service with an outdated token may share its address.
 * @returns the name of the service
 * @throws UNAUTHENTICATED, TOKEN_INVALID; TOO_MANY_REQUESTS with Retry-After
 */
function createTokenReader(
  tokens: readonly ServiceToken[],
  perf: Perf | undefined,
): (request: FastifyRequest) => Promise<string> {
  const count = createLocalCount(perf);

  async function countFailure(request: FastifyRequest): Promise<void> {
    // The address of the connection, since no proxy in front is trusted.
    const address = networkOf(plainAddress(request.socket.remoteAddress ?? '') ?? 'unknown');
    const { current, ttl } = await count(address, FAILURES.window);
    if (current > FAILURES.max) throw retryLater('TOO_MANY_REQUESTS', ttl);
    request.log.warn({ event: 'service_token_refused', address }, 'a service token was rejected');
  }
  return async (request) => {
    const { authorization } = request.headers;
    const name = nameOf(tokens, bearerIn(request) ?? '');
    if (name !== undefined) return name;
    await countFailure(request);
    throw authorization === undefined ? unauthenticated() : tokenInvalid();
  };
}

/** Compares with every token in constant time. */
function nameOf(tokens: readonly ServiceToken[], secret: string): string | undefined {
  const hash = createHash('sha256').update(secret).digest();
  return tokens.filter((token) => timingSafeEqual(token.hash, hash))[0]?.name;
}
