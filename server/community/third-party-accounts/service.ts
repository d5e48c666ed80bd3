import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache, type Perf } from 'lru-cache';
import { type TSchema, Type } from 'typebox';
import { serviceCalls } from '../../../shared/routes/settings.ts';
import { openKysely, type Pool } from '../../database/pool.ts';
import { createApp } from '../../http/app.ts';
import { appError } from '../../http/errors.ts';
import { unauthenticated } from '../auth/caller.ts';
import { tokenInvalid } from '../auth/token.ts';
import type { CommunityTables } from '../schema.ts';
import { type AccountName, loadAccountEncryptor, type OpenedAccount, openAccount } from './accounts.ts';

/** Who may read accounts: the name that the log tells, and the SHA-256 of the secret. */
type ServiceToken = { name: string; hash: Buffer };

type Options = {
  /** Connections that work in the schema `community`. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** The clock of what is counted, if not the process's own. */
  perf?: Perf;
  /** Folder of the key that the accounts are encrypted with. */
  dataDir: string;
  tokens: readonly ServiceToken[];
};

/**
 * What the design tool's own server asks, on a port of its own that no gateway knows: accounts at third parties with
 * their secrets, for a service token alone.
 */
export function createAccountService({ pool, log, perf, dataDir, tokens }: Options): FastifyInstance {
  const app = createApp({ log });
  const db = openKysely<CommunityTables>(pool);
  const encryptor = loadAccountEncryptor(dataDir);
  const serviceOf = tokenReader(tokens, perf);

  function serve(
    { path, data }: { path: string; data: TSchema },
    name: AccountName,
    wire: (account: Opened) => object,
  ): void {
    const answer = Type.Object({ code: Type.Integer(), message: Type.String(), data });
    app.get(path, { schema: { response: { 200: answer } } }, async (request, reply) => {
      const service = serviceOf(request);
      const account = await openAccount({ db, encryptor }, name);
      if (account.state === 'not_opened') {
        const cause = new Error(`${name} was encrypted with a key that is not in DATA_DIR/account-keys`);
        throw appError('SERVICE_UNAVAILABLE', { cause });
      }
      const isThere = account.state === 'opened';
      request.log.info({ event: 'account_read', service, account: name, found: isThere }, 'account read');
      reply.header('cache-control', 'no-store');
      return { code: 0, message: 'ok', data: { account: isThere ? wire(account) : null } };
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

/** Refusals that an address is told of one by one, within so many milliseconds; further ones are 429. */
const REFUSALS = 10;
const WINDOW = 60_000;
const ADDRESSES = 10_000;

/**
 * Answers the name of the service whose token a request holds. A secret has the strength of a key, so no number of
 * guesses finds it: the limit is on what wrong ones cost, and a right one passes beside them, since a service that still
 * has the token of yesterday may come from the same address.
 * @throws UNAUTHENTICATED, TOKEN_INVALID; TOO_MANY_REQUESTS with Retry-After
 */
function tokenReader(
  tokens: readonly ServiceToken[],
  perf: Perf = performance,
): (request: FastifyRequest) => string {
  const refusals = new LRUCache<string, number>({
    max: ADDRESSES,
    ttl: WINDOW,
    ttlResolution: 0,
    perf,
    noUpdateTTL: true,
  });

  function countRefusal(request: FastifyRequest): void {
    // The connection's own address: nobody in front is trusted to tell another one.
    const address = request.socket.remoteAddress ?? '';
    const count = refusals.get(address) ?? 0;
    refusals.set(address, count + 1);
    if (count >= REFUSALS) {
      const headers = { 'retry-after': String(Math.ceil(refusals.getRemainingTTL(address) / 1000)) };
      throw appError('TOO_MANY_REQUESTS', { headers });
    }
    request.log.warn({ event: 'service_token_refused', address }, 'a service token was refused');
  }
  return (request) => {
    const { authorization } = request.headers;
    const name = nameOf(tokens, /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    if (name !== undefined) return name;
    countRefusal(request);
    throw authorization === undefined ? unauthenticated() : tokenInvalid();
  };
}

/** Every token is compared, whichever is the right one, and hashes of one length in constant time. */
function nameOf(tokens: readonly ServiceToken[], secret: string): string | undefined {
  const hash = createHash('sha256').update(secret).digest();
  return tokens.filter((token) => timingSafeEqual(token.hash, hash))[0]?.name;
}
