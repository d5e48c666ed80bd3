import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { PublishToken } from '../../../../shared/entities/review.ts';
import type { BodyOf, DataOf } from '../../../../shared/route.ts';
import type { publishTokenRoutes } from '../../../../shared/routes/publish-token.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { findOwnPlugin } from '../../catalogue/plugins/access.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { OwnerRights } from '../../people/auth/owner-rights.ts';
import { issuePublishToken } from '../../people/auth/publish-token.ts';
import { endTokens } from '../../people/auth/publish-token-store.ts';
import { canPublish, type Publishers } from '../../people/policy.ts';
import { updateRole } from '../../people/users.ts';
import { requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  countLiveTokens,
  grantOlderTokens,
  insertToken,
  readTokenRows,
  revokeToken,
  type TokenRow,
} from './store.ts';

/** Maximum valid tokens per user. */
export const LIVE_TOKENS_MAX = 20;
const DEFAULT_DAYS = 90;
const DAY = 24 * 60 * 60 * 1000;

export type TokenContext = { db: Db; rights: OwnerRights; publishers: Publishers; now: () => number };

/** The owner of tokens, with the access token that identity confirms. */
export type OwnerCall = { caller: Caller; accessToken: string; request: FastifyRequest };

type Wanted = BodyOf<(typeof publishTokenRoutes)['createPublishToken']>;
type Issued = DataOf<(typeof publishTokenRoutes)['createPublishToken']>;

/**
 * Creates a publish token after identity has confirmed the session and the right to publish, and has authenticated the owner
 * again. The secret is only in the response.
 * @throws PLUGIN_NOT_FOUND for another publisher's plugin, TOKEN_LIMIT_REACHED; TOKEN_INVALID, FORBIDDEN,
 *   SERVICE_UNAVAILABLE by identity, and what its reauthentication throws
 */
export async function createPublishToken(
  { db, rights, publishers, now }: TokenContext,
  { name: label, plugin_key, days = DEFAULT_DAYS, ...typed }: Wanted,
  { caller, accessToken, request }: OwnerCall,
): Promise<Issued> {
  const name = requiredText(label, '/name');
  const plugin = plugin_key === undefined ? undefined : await findOwnPlugin(db, plugin_key, caller);
  const confirmed = await rights.confirm(accessToken, caller);
  if (!canPublish(confirmed, publishers)) {
    await updateRole(db, { ...caller, role: confirmed.role });
    throw appError('FORBIDDEN');
  }
  await rights.reauthenticate(accessToken, typed, request);
  const { secret, hash, hint } = issuePublishToken();
  const createdAt = now();
  const times = { created_at: new Date(createdAt), expires_at: new Date(createdAt + days * DAY) };
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

/** Lists the caller's tokens, newest first, after ending those whose grants have ended. */
export async function listPublishTokens(context: TokenContext, call: OwnerCall): Promise<PublishToken[]> {
  const { user_id } = call.caller;
  const rows = await readTokenRows(context.db, user_id);
  const live = rows.filter((row) => row.revoked_at === null && row.expires_at.getTime() > context.now());
  const granted = await addMissingGrants(context, live, call);
  const ended = await endStaleTokens(context, live, call.request.log);
  const current = granted || ended.size > 0 ? await readTokenRows(context.db, user_id) : rows;
  return current.map(toPublishToken);
}

/** Adds grants to tokens that are older than grants. @returns false if there are none */
async function addMissingGrants(
  { db, rights, now }: TokenContext,
  live: readonly TokenRow[],
  { caller, accessToken, request }: OwnerCall,
): Promise<boolean> {
  if (!rights.issuesGrants || live.every(({ owner_grant }) => owner_grant !== null)) return false;
  return unlessUnavailable(request.log, false, async () => {
    const { grant, signedOutAt } = await rights.confirm(accessToken, caller);
    if (grant === null) return false;
    const since = signedOutAt === null ? null : new Date(signedOutAt);
    await grantOlderTokens(db, caller.user_id, { grant, signedOutAt: since, at: new Date(now()) });
    return true;
  });
}

/** Ends tokens whose grants have ended. @returns their ids; none while identity is unavailable */
export async function endStaleTokens(
  { db, rights, now }: TokenContext,
  tokens: readonly { id: number; owner_grant: string | null }[],
  log: FastifyBaseLogger,
): Promise<ReadonlySet<number>> {
  const grants = tokens.flatMap(({ owner_grant }) => owner_grant ?? []);
  const ended = await unlessUnavailable(log, new Set<string>(), () => rights.ended(grants));
  const ids = tokens.flatMap(({ id, owner_grant }) => (owner_grant && ended.has(owner_grant) ? [id] : []));
  if (ids.length > 0) await endTokens(db, ids, new Date(now()));
  return new Set(ids);
}

/** Lists stay available while identity is not. */
async function unlessUnavailable<T>(log: FastifyBaseLogger, otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    log.warn({ err: error.cause }, 'identity unavailable, rights of token owners not checked');
    return otherwise;
  }
}

/** @throws NOT_FOUND for another user's token */
export async function revokePublishToken(
  { db, now }: TokenContext,
  id: number,
  { user_id }: Caller,
): Promise<void> {
  const isFound = await revokeToken(db, user_id, id, new Date(now()));
  if (!isFound) throw appError('NOT_FOUND');
}

/** The public view of a token, without its grant. */
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
