import type { PublishToken } from '../../../shared/entities/review.ts';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import type { publishTokenRoutes } from '../../../shared/routes/publish-token.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { issuePublishToken } from '../auth/publish-token.ts';
import { findPlugin } from '../plugins/detail/store.ts';
import type { Db } from '../schema.ts';
import { countLiveTokens, insertToken, readTokenRows, revokeToken, type TokenRow } from './store.ts';

/** Tokens that somebody may have at a time. */
export const LIVE_TOKENS_MAX = 20;
const DAYS = 90;
const DAY = 24 * 60 * 60 * 1000;

type Wanted = BodyOf<(typeof publishTokenRoutes)['createPublishToken']>;
type Issued = DataOf<(typeof publishTokenRoutes)['createPublishToken']>;

/**
 * Makes a publish token. Its secret is in the answer and nowhere else.
 * @throws PLUGIN_NOT_FOUND for a plugin that is not the caller's own, TOKEN_LIMIT_REACHED
 */
export async function createPublishToken(
  db: Db,
  { name, plugin_key, days = DAYS }: Wanted,
  caller: Caller,
  now: number,
): Promise<Issued> {
  const plugin = plugin_key === undefined ? undefined : await findPlugin(db, plugin_key);
  if (plugin_key !== undefined && plugin?.publisher_id !== caller.user_id) throw appError('PLUGIN_NOT_FOUND');
  const { secret, hash, hint } = issuePublishToken();
  const times = { created_at: new Date(now), expires_at: new Date(now + days * DAY) };
  const id = await db.transaction().execute(async (trx) => {
    const live = await countLiveTokens(trx, caller.user_id, times.created_at);
    if (live >= LIVE_TOKENS_MAX) throw appError('TOKEN_LIMIT_REACHED');
    const kept = { user_id: caller.user_id, name, secret_hash: hash, hint, plugin_id: plugin?.id ?? null };
    return insertToken(trx, { ...kept, ...times });
  });
  const row = { id, name, hint, plugin_key: plugin_key ?? null, ...times };
  return { token: toPublishToken({ ...row, last_used_at: null, revoked_at: null }), secret };
}

export async function listPublishTokens(db: Db, caller: Caller): Promise<PublishToken[]> {
  const rows = await readTokenRows(db, caller.user_id);
  return rows.map(toPublishToken);
}

/** @throws NOT_FOUND for a token that is not the caller's */
export async function revokePublishToken(db: Db, id: number, caller: Caller, now: number): Promise<void> {
  const isFound = await revokeToken(db, caller.user_id, id, new Date(now));
  if (!isFound) throw appError('NOT_FOUND');
}

function toPublishToken(row: TokenRow): PublishToken {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
