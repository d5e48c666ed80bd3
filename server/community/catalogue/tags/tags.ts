import type { FastifyInstance } from 'fastify';
import { TAGS_TOTAL_MAX } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import type { ErrorDetail } from '../../../../shared/errors.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Texts, textIn } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { tagRoutes } from '../../../../shared/routes/tag.ts';
import { isTagTaken } from '../../../../shared/tags.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { type AuditLogDetail, recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { plainTexts, refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { lockOrdered, putInOrder } from '../ordering.ts';
import {
  countTagged,
  deleteTagRow,
  insertTag,
  isTagUsed,
  moveFollows,
  movePlugins,
  readManagedTags,
  readTags,
  recodeSubmissions,
  reindexTagged,
  type Tag,
  updateTag,
} from './store.ts';

type TagChange = BodyOf<(typeof tagRoutes)['saveTag']>;
type TagTexts = Omit<Tag, 'id'>;

/**
 * Adds a tag, or changes the given fields of the tag with this id.
 * @throws TAG_NOT_FOUND, TAG_EXISTS at the code or name that is taken, TAG_LIMIT_REACHED, VALIDATION_FAILED
 */
async function saveTag(db: Db, { id, ...change }: TagChange, caller: Caller): Promise<ManagedTag> {
  const saved = await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'tag');
    const tags = await readTags(trx);
    const before = id === undefined ? undefined : findTag(tags, id);
    if (!before && tags.length >= TAGS_TOTAL_MAX) throw appError('TAG_LIMIT_REACHED');
    const wanted = mergeTag(before, change);
    const details = nameErrors(
      tags.filter((tag) => tag.id !== id),
      wanted,
      'tag',
    );
    if (details.length > 0) throw appError('TAG_EXISTS', { details });
    const tag = { id: before ? before.id : await insertTag(trx, wanted), ...wanted };
    if (before) await changeTag(trx, before, wanted);
    await recordTagChange(trx, before ? 'tag.change' : 'tag.add', tag, {
      caller,
      detail: { code: tag.code, is_hidden: tag.is_hidden, ...(before && { before: nameOf(before) }) },
    });
    return tag;
  });
  return counted(db, saved);
}

/**
 * Moves the plugins of a tag to another one, including waiting submissions, and deletes it.
 * @throws TAG_NOT_FOUND, VALIDATION_FAILED if both are the same
 */
async function mergeTags(
  db: Db,
  { id, into_id }: { id: number; into_id: number },
  caller: Caller,
): Promise<ManagedTag> {
  if (id === into_id) throw refusedAt('/into_id', 'must be another tag');
  const merged = await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'tag');
    const tags = await readTags(trx);
    const [from, into] = [findTag(tags, id), findTag(tags, into_id)];
    const moved = await countTagged(trx, from);
    await reindexTagged(trx, from);
    await movePlugins(trx, { from: id, to: into_id });
    await moveFollows(trx, { from: id, to: into_id });
    await recodeSubmissions(trx, { from: from.code, to: into.code });
    await deleteTagRow(trx, id);
    await recordTagChange(trx, 'tag.merge', from, {
      caller,
      detail: { code: from.code, into: into.code, plugin_count: moved },
    });
    return into;
  });
  return counted(db, merged);
}

/**
 * Deletes a tag that no plugin has, and none that waits for review.
 * @throws TAG_NOT_FOUND, TAG_IN_USE
 */
async function deleteTag(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'tag');
    const tag = findTag(await readTags(trx), id);
    if (await isTagUsed(trx, tag)) throw appError('TAG_IN_USE');
    await deleteTagRow(trx, id);
    await recordTagChange(trx, 'tag.delete', tag, { caller, detail: { code: tag.code } });
  });
}

/** Counts after the transaction, so that nobody waits for it. */
async function counted(db: Db, tag: Tag): Promise<ManagedTag> {
  return { ...tag, plugin_count: await countTagged(db, tag) };
}

async function changeTag(trx: Db, before: Tag, wanted: TagTexts): Promise<void> {
  await updateTag(trx, { id: before.id, ...wanted });
  if (wanted.code !== before.code) await recodeSubmissions(trx, { from: before.code, to: wanted.code });
  const isRenamed = LANGUAGES.some((language) => before.name[language] !== wanted.name[language]);
  if (isRenamed) await reindexTagged(trx, { id: before.id, code: wanted.code });
}

function findTag(tags: readonly Tag[], id: number): Tag {
  const tag = tags.find((one) => one.id === id);
  if (!tag) throw appError('TAG_NOT_FOUND');
  return tag;
}

function mergeTag(before: Tag | undefined, change: Omit<TagChange, 'id'>): TagTexts {
  const code = change.code ?? before?.code;
  if (code === undefined) throw refusedAt('/code', 'is missing');
  const name = change.name ? plainTexts(change.name, '/name') : (before?.name ?? {});
  if (Object.keys(name).length === 0) throw refusedAt('/name', 'must not be empty');
  const intro = change.intro ? plainTexts(change.intro, '/intro') : (before?.intro ?? {});
  return { code, name, intro, is_hidden: change.is_hidden ?? before?.is_hidden ?? false };
}

function nameOf({ name }: Pick<Tag, 'name'>): string {
  return textIn(name, FALLBACK_LANGUAGE, FALLBACK_LANGUAGE).text;
}

async function recordTagChange(
  trx: Db,
  action: string,
  tag: Tag,
  { caller, detail }: { caller: Caller; detail: AuditLogDetail },
): Promise<void> {
  await recordChange(trx, caller, {
    action,
    targetKind: 'tag',
    targetId: tag.id,
    targetName: { names: tag.name, default_lang: FALLBACK_LANGUAGE },
    detail,
  });
}

type Kind = 'tag' | 'mark';
type Named = { code: string; name: Texts };

/** Finds codes and names that belong to another tag or mark, since users may refer to one by either. */
export function nameErrors(others: readonly Named[], { code, name }: Named, kind: Kind): ErrorDetail[] {
  const named = others.map((one) => ({ code: one.code, names: Object.values(one.name) }));
  const places = [
    { pointer: '/code', text: code },
    ...LANGUAGES.map((language) => ({ pointer: `/name/${language}`, text: name[language] ?? '' })),
  ];
  return places
    .filter(({ text }) => text !== '' && isTagTaken(named, text))
    .map(({ pointer }) => ({ pointer, message: `belongs to another ${kind}` }));
}

/** The administration of tags. */
export function tagsRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.listManagedTags, async () => ({
    tag_list: await readManagedTags(db),
  }));
  implement(app, contract.saveTag, ({ body, request }) => saveTag(db, body, callerOf(request)));
  implement(app, contract.orderTags, async ({ body, request }) => {
    await putInOrder(db, 'tag', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
  implement(app, contract.mergeTags, ({ body, request }) => mergeTags(db, body, callerOf(request)));
  implement(app, contract.deleteTag, async ({ body, request }) => {
    await deleteTag(db, body.id, callerOf(request));
    return {};
  });
}
