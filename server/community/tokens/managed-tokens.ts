import type { FastifyBaseLogger } from 'fastify';
import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { ManagedToken } from '../../../shared/entities/review.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { publishTokenRoutes } from '../../../shared/routes/publish-token.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { cutPage, decodeCursor, IdPlace } from '../pages.ts';
import { readNickName, rememberPerson } from '../people.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import { endTokensOf, hasToken, readLiveTokens, readManagedTokens } from './store.ts';
import { endStaleTokens, type TokenParts, toPublishToken } from './tokens.ts';

type Routes = typeof publishTokenRoutes;

/**
 * Publish tokens that work, newest first, of one person or of all.
 * @throws BAD_CURSOR
 */
export async function listManagedTokens(
  parts: TokenParts,
  { user_id, cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listManagedTokens']>,
  log: FastifyBaseLogger,
): Promise<DataOf<Routes['listManagedTokens']>> {
  const list = ['publish tokens', user_id ?? 0];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const at = new Date(parts.now());
  const of = user_id === undefined ? {} : { userId: user_id };
  const found = await readManagedTokens(parts.db, { ...of, before, limit: limit + 1, at });
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  const ended = await endStaleTokens(parts, rows, log);
  return {
    next_cursor,
    token_list: rows
      .filter(({ id }) => !ended.has(id))
      .map(
        ({ plugin_name, owner, ...row }): ManagedToken => ({ ...toPublishToken(row), plugin_name, owner }),
      ),
  };
}

/** How many tokens of each of some people work. */
export async function countManagedTokens(
  parts: TokenParts,
  { user_ids }: QueryOf<Routes['countManagedTokens']>,
  log: FastifyBaseLogger,
): Promise<DataOf<Routes['countManagedTokens']>> {
  const ids = [...new Set(user_ids.split(',').map(Number))];
  const tokens = await readLiveTokens(parts.db, ids, new Date(parts.now()));
  const ended = await endStaleTokens(parts, tokens, log);
  const byOwner = Map.groupBy(
    tokens.filter(({ id }) => !ended.has(id)),
    ({ user_id }) => user_id,
  );
  return { count_list: ids.map((user_id) => ({ user_id, count: byOwner.get(user_id)?.length ?? 0 })) };
}

/**
 * Ends anybody's token; one that has ended stays as it is.
 * @throws NOT_FOUND
 */
export async function revokeManagedToken(parts: TokenParts, id: number, caller: Caller): Promise<void> {
  const ended = await end(parts, { id }, caller);
  if (ended === 0 && !(await hasToken(parts.db, id))) throw appError('NOT_FOUND');
}

/** Ends all tokens of a person and answers how many those were. */
export function revokeManagedTokens(parts: TokenParts, userId: number, caller: Caller): Promise<number> {
  return end(parts, { user_id: userId }, caller);
}

/** Each token that ends has its entry in the trail. */
function end(
  { db, now }: TokenParts,
  which: Parameters<typeof endTokensOf>[1],
  caller: Caller,
): Promise<number> {
  return db.transaction().execute(async (trx: Db) => {
    const tokens = await endTokensOf(trx, which, new Date(now()));
    if (tokens.length > 0) await rememberPerson(trx, caller);
    for (const { id, user_id, name } of tokens) {
      const owner = await readNickName(trx, user_id);
      await writeTrail(trx, {
        actorId: caller.user_id,
        action: 'publish_token.revoke',
        targetKind: 'publish_token',
        targetId: id,
        targetName: [name, owner].filter(Boolean).join(' · '),
        detail: { user_id },
      });
    }
    return tokens.length;
  });
}
