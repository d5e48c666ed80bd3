import type { FastifyBaseLogger } from 'fastify';
import type { PublishToken } from '../../../shared/entities/review.ts';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import type { publishTokenRoutes } from '../../../shared/routes/publish-token.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { type Caller, mayPublish, type Publishers } from '../auth/caller.ts';
import type { OwnerRights } from '../auth/owner-rights.ts';
import { issuePublishToken } from '../auth/publish-token.ts';
import { noteRole } from '../people.ts';
import { findPlugin } from '../plugins/store.ts';
import type { Db } from '../schema.ts';
import {
  countLiveTokens,
  endTokens,
  grantOlderTokens,
  insertToken,
  readTokenRows,
  revokeToken,
  type TokenRow,
} from './store.ts';

/** Tokens that somebody may have at a time. */
export const LIVE_TOKENS_MAX = 20;
const DAYS = 90;
const DAY = 24 * 60 * 60 * 1000;

/** What the handlers of tokens work with. */
export type TokenParts = { db: Db; rights: OwnerRights; publishers: Publishers; now: () => number };

/** Who looks after their own tokens; identity is asked about the access token. */
export type OwnerCall = { caller: Caller; accessToken: string; log: FastifyBaseLogger };

type Wanted = BodyOf<(typeof publishTokenRoutes)['createPublishToken']>;
type Issued = DataOf<(typeof publishTokenRoutes)['createPublishToken']>;

/**
 * Makes a publish token, once identity has said that the caller is still signed in and may publish. The token's secret is
 * in the answer and nowhere else.
 * @throws PLUGIN_NOT_FOUND for a plugin that is not the caller's own, TOKEN_LIMIT_REACHED; TOKEN_INVALID, FORBIDDEN,
 *   SERVICE_UNAVAILABLE by identity
 */
export async function createPublishToken(
  { db, rights, publishers, now }: TokenParts,
  { name, plugin_key, days = DAYS }: Wanted,
  { caller, accessToken }: OwnerCall,
): Promise<Issued> {
  const plugin = plugin_key === undefined ? undefined : await findPlugin(db, plugin_key);
  if (plugin_key !== undefined && plugin?.publisher_id !== caller.user_id) throw appError('PLUGIN_NOT_FOUND');
  const confirmed = await rights.confirm(accessToken, caller);
  if (!mayPublish(confirmed, publishers)) {
    await noteRole(db, { ...caller, role: confirmed.role });
    throw appError('FORBIDDEN');
  }
  const { secret, hash, hint } = issuePublishToken();
  const madeAt = now();
  const times = { created_at: new Date(madeAt), expires_at: new Date(madeAt + days * DAY) };
  const owned = { user_id: caller.user_id, owner_grant: confirmed.grant };
  const id = await db.transaction().execute(async (trx) => {
    const live = await countLiveTokens(trx, caller.user_id, times.created_at);
    if (live >= LIVE_TOKENS_MAX) throw appError('TOKEN_LIMIT_REACHED');
    return insertToken(trx, {
      ...owned,
      name,
      secret_hash: hash,
      hint,
      plugin_id: plugin?.id ?? null,
      ...times,
    });
  });
  const row = { id, name, hint, plugin_key: plugin_key ?? null, ...times };
  return { token: toPublishToken({ ...row, last_used_at: null, revoked_at: null }), secret };
}

/** The caller's tokens, newest first, after what has ended with their rights was ended here too. */
export async function listPublishTokens(parts: TokenParts, call: OwnerCall): Promise<PublishToken[]> {
  const { user_id } = call.caller;
  const rows = await readTokenRows(parts.db, user_id);
  const live = rows.filter((row) => row.revoked_at === null && row.expires_at.getTime() > parts.now());
  const granted = await grantOlder(parts, live, call);
  const ended = await endStaleTokens(parts, live, call.log);
  const current = granted || ended.size > 0 ? await readTokenRows(parts.db, user_id) : rows;
  return current.map(toPublishToken);
}

/** Tokens of before grants were issued get one, now that their owner is there. Answers whether there were any. */
async function grantOlder(
  { db, rights, now }: TokenParts,
  live: readonly TokenRow[],
  { caller, accessToken, log }: OwnerCall,
): Promise<boolean> {
  if (!rights.issuesGrants || live.every(({ owner_grant }) => owner_grant !== null)) return false;
  return unlessAway(log, false, async () => {
    const { grant, signedOutAt } = await rights.confirm(accessToken, caller);
    if (grant === null) return false;
    const since = signedOutAt === null ? null : new Date(signedOutAt);
    await grantOlderTokens(db, caller.user_id, { grant, signedOutAt: since, at: new Date(now()) });
    return true;
  });
}

/** Ends the tokens whose owners' rights have ended, and answers which; none while identity cannot be asked. */
export async function endStaleTokens(
  { db, rights, now }: TokenParts,
  tokens: readonly { id: number; owner_grant: string | null }[],
  log: FastifyBaseLogger,
): Promise<ReadonlySet<number>> {
  const grants = tokens.flatMap(({ owner_grant }) => owner_grant ?? []);
  const ended = await unlessAway(log, new Set<string>(), () => rights.ended(grants));
  const ids = tokens.flatMap(({ id, owner_grant }) => (owner_grant && ended.has(owner_grant) ? [id] : []));
  if (ids.length > 0) await endTokens(db, ids, new Date(now()));
  return new Set(ids);
}

/** A list is shown while identity is away, too. */
async function unlessAway<T>(log: FastifyBaseLogger, otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    log.warn({ err: error.cause }, 'identity could not be asked about owners of publish tokens');
    return otherwise;
  }
}

/** @throws NOT_FOUND for a token that is not the caller's */
export async function revokePublishToken(
  { db, now }: TokenParts,
  id: number,
  { user_id }: Caller,
): Promise<void> {
  const isFound = await revokeToken(db, user_id, id, new Date(now()));
  if (!isFound) throw appError('NOT_FOUND');
}

/** What people are shown of a token: its owner's grant is not among it. */
export function toPublishToken(row: Omit<TokenRow, 'owner_grant'>): PublishToken {
  const { id, name, hint, plugin_key } = row;
  return {
    id,
    name,
    hint,
    plugin_key,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
