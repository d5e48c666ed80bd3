import type { FastifyInstance } from 'fastify';
import { PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { type Language, textIn } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { Follow, followRoutes } from '../../../../shared/routes/follow.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { toTag } from '../../catalogue/plugins/cards.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, IdPlace } from '../../pages.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  countFollows,
  deleteFollow,
  type FollowRow,
  type FollowTarget,
  findFollowable,
  insertFollow,
  readFollowedKeys,
  readFollowRows,
} from './store.ts';

type Routes = typeof followRoutes;

/** What users follow; they are told of it in the background (catalogue/telling). */
export function followsRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.follow, async ({ body, request }) => {
    await setFollow(db, body, { userId: callerOf(request).user_id, at: new Date(now()) });
    return {};
  });
  implement(app, contract.readFollowed, ({ request }) => readFollowedKeys(db, callerOf(request).user_id));
  implement(app, contract.listFollows, ({ query, request }) =>
    listFollows(db, query, { userId: callerOf(request).user_id, language: languageOf(request) }),
  );
}

const MISSING = {
  plugin: 'PLUGIN_NOT_FOUND',
  tag: 'TAG_NOT_FOUND',
  publisher: 'PUBLISHER_NOT_FOUND',
} as const;

/** @throws PLUGIN_NOT_FOUND, TAG_NOT_FOUND, PUBLISHER_NOT_FOUND, FOLLOW_LIMIT_REACHED; VALIDATION_FAILED without a target */
async function setFollow(
  db: Db,
  { is_followed: isFollowed, ...keys }: BodyOf<Routes['follow']>,
  { userId, at }: { userId: number; at: Date },
): Promise<void> {
  const target = targetOf(keys);
  if (!isFollowed) return deleteFollow(db, { userId, target });
  const id = await findFollowable(db, target);
  if (id === undefined) throw appError(MISSING[target.kind]);
  if (!(await insertFollow(db, { userId, kind: target.kind, id, at })))
    throw appError('FOLLOW_LIMIT_REACHED');
}

function targetOf({
  plugin_key,
  tag_id,
  publisher_id: publisherId,
}: Omit<BodyOf<Routes['follow']>, 'is_followed'>): FollowTarget {
  if (plugin_key !== undefined) return { kind: 'plugin', key: plugin_key };
  if (tag_id !== undefined) return { kind: 'tag', key: tag_id };
  if (publisherId !== undefined) return { kind: 'publisher', key: publisherId };
  throw refusedAt('', 'must name a plugin, a tag or a publisher');
}

/**
 * A page of what the user follows, latest first.
 * @throws BAD_CURSOR
 */
async function listFollows(
  db: Db,
  { cursor, limit = PAGE_SIZE }: QueryOf<Routes['listFollows']>,
  { userId, language }: { userId: number; language: Language },
): Promise<DataOf<Routes['listFollows']>> {
  const list = ['follows', userId];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const [total, found] = await Promise.all([
    countFollows(db, userId),
    readFollowRows(db, { userId, before, limit: limit + 1 }),
  ]);
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  return { ...cappedTotal(total), next_cursor, follow_list: rows.map((row) => toFollow(row, language)) };
}

function toFollow({ id, plugin, tag, publisher, created_at }: FollowRow, language: Language): Follow {
  const name = plugin && textIn(plugin.names, language, plugin.default_lang);
  return {
    id,
    plugin: plugin &&
      name && { plugin_key: plugin.plugin_key, name: name.text, lang: name.lang, icon: plugin.icon },
    tag: tag && toTag(tag, language),
    publisher,
    is_available: plugin ? plugin.is_visible : tag ? !tag.is_hidden : publisher?.is_deleted !== true,
    followed_at: created_at.toISOString(),
  };
}
