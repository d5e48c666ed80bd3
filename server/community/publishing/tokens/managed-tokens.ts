import type { FastifyBaseLogger } from 'fastify';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { ManagedToken } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { publishTokenRoutes } from '../../../../shared/routes/publish-token.ts';
import { appError } from '../../../http/errors.ts';
import { nameIn } from '../../names.ts';
import { cutPage, decodeCursor, IdPlace } from '../../pages.ts';
import { writeAuditLog } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { readNickName, upsertUser } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import { hasToken, readLiveTokens, readManagedTokens, revokeTokens } from './store.ts';
import { endStaleTokens, type TokenContext, toPublishToken } from './tokens.ts';

type Routes = typeof publishTokenRoutes;

/**
 * Lists valid publish tokens of one user or of all, newest first.
 * @throws BAD_CURSOR
 */
export async function listManagedTokens(
  context: TokenContext,
  { user_id, cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listManagedTokens']>,
  { language, log }: { language: Language; log: FastifyBaseLogger },
): Promise<DataOf<Routes['listManagedTokens']>> {
  const list = ['publish tokens', user_id ?? 0];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const at = new Date(context.now());
  const of = user_id === undefined ? {} : { userId: user_id };
  const found = await readManagedTokens(context.db, { ...of, before, limit: limit + 1, at });
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  const ended = await endStaleTokens(context, rows, log);
  return {
    next_cursor,
    token_list: rows
      .filter(({ id }) => !ended.has(id))
      .map(
        ({ names, default_lang, owner, ...row }): ManagedToken => ({
          ...toPublishToken(row),
          plugin_name: row.plugin_key === null ? null : nameIn({ names, default_lang }, language),
          owner,
        }),
      ),
  };
}

/** Counts the valid tokens of some users. */
export async function countManagedTokens(
  context: TokenContext,
  { user_ids }: QueryOf<Routes['countManagedTokens']>,
  log: FastifyBaseLogger,
): Promise<DataOf<Routes['countManagedTokens']>> {
  const ids = [...new Set(user_ids.split(',').map(Number))];
  const tokens = await readLiveTokens(context.db, ids, new Date(context.now()));
  const ended = await endStaleTokens(context, tokens, log);
  const byOwner = Map.groupBy(
    tokens.filter(({ id }) => !ended.has(id)),
    ({ user_id }) => user_id,
  );
  return { count_list: ids.map((user_id) => ({ user_id, count: byOwner.get(user_id)?.length ?? 0 })) };
}

/**
 * Revokes a token of any user; a token that has ended stays as it is.
 * @throws NOT_FOUND
 */
export async function revokeManagedToken(context: TokenContext, id: number, caller: Caller): Promise<void> {
  const ended = await revoke(context, { id }, caller);
  if (ended === 0 && !(await hasToken(context.db, id))) throw appError('NOT_FOUND');
}

/** Revokes all tokens of a user. @returns their number */
export function revokeManagedTokens(context: TokenContext, userId: number, caller: Caller): Promise<number> {
  return revoke(context, { user_id: userId }, caller);
}

/** Revokes tokens with one entry each in the audit log. */
function revoke(
  { db, now }: TokenContext,
  which: Parameters<typeof revokeTokens>[1],
  caller: Caller,
): Promise<number> {
  return db.transaction().execute(async (trx: Db) => {
    const tokens = await revokeTokens(trx, which, new Date(now()));
    if (tokens.length > 0) await upsertUser(trx, caller);
    for (const { id, user_id, name } of tokens) {
      const owner = await readNickName(trx, user_id);
      await writeAuditLog(trx, {
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
