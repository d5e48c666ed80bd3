import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { FALLBACK_LANGUAGE, type Language, type Texts } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type {
  editorsCollectionRoutes,
  ManagedCollection,
} from '../../../../shared/routes/editors-collection.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { lockOrdered, putInOrder } from '../../catalogue/ordering.ts';
import { implementForm } from '../../files/forms/implement-form.ts';
import { ONE_PICTURE, type StoredPicture, storeUploadedPicture } from '../../files/media/pictures.ts';
import { insertPictures } from '../../files/media/store.ts';
import { languageOf } from '../../language.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { plainTexts, refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { newKey, toSummary } from './collections.ts';
import { findKeyBySlug, insertEditors, readManagedEditors, updateEditors } from './editors-store.ts';
import { type CollectionRow, deleteCollectionRow } from './store.ts';

type Form = BodyOf<(typeof editorsCollectionRoutes)['saveManagedCollection']>;
type Changing = { caller: Caller; at: Date; language: Language };

/** Collections of the editors at most. */
export const EDITORS_MAX = 100;

/** What administrators do with the collections of the editors. */
export function editorsCollectionsRoutes(app: FastifyInstance): void {
  const { db, pictures, dataDir, clock: now } = app;
  implement(app, contract.listManagedCollections, async ({ query, request }) => {
    const rows = await readManagedEditors(db, query.plugin_key);
    return { collection_list: rows.flatMap((row) => toManaged(row, languageOf(request))) };
  });
  implementForm(
    app,
    contract.saveManagedCollection,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields, files, request, signal }) => {
      const change = validated(fields);
      const caller = callerOf(request);
      const picture = await storeUploadedPicture(pictures, files.picture[0], {
        userId: caller.user_id,
        signal,
      });
      const changing = { caller, at: new Date(now()), language: languageOf(request) };
      return saveEditors(db, { change, picture }, changing);
    },
  );
  implement(app, contract.orderManagedCollections, async ({ body, request }) => {
    await putInOrder(db, 'editors_collection', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
  implement(app, contract.deleteManagedCollection, async ({ body, request }) => {
    const caller = callerOf(request);
    await db.transaction().execute(async (trx) => {
      await lockOrdered(trx, 'editors_collection');
      const found = await findManaged(trx, body.id, languageOf(request));
      await deleteCollectionRow(trx, body.id);
      await recordEditorsChange(trx, 'editors_collection.delete', found, caller);
    });
    return {};
  });
}

/** @throws VALIDATION_FAILED for a title in no language */
function validated({ title, description, ...rest }: Form): Form {
  return {
    ...rest,
    ...(title && { title: titled(plainTexts(title, '/title')) }),
    ...(description && { description: plainTexts(description, '/description') }),
  };
}

function titled(title: Texts): Texts {
  if (Object.keys(title).length === 0) throw refusedAt('/title', 'must not be empty');
  return title;
}

/**
 * Adds a collection, or changes the given fields of the one with this id.
 * @throws NOT_FOUND, COLLECTION_LIMIT_REACHED, COLLECTION_ADDRESS_TAKEN; VALIDATION_FAILED for a new one without title or address
 */
async function saveEditors(
  db: Db,
  { change: { id, ...change }, picture }: { change: Form; picture: StoredPicture | undefined },
  { caller, at, language }: Changing,
): Promise<ManagedCollection> {
  return db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'editors_collection');
    const before = id === undefined ? undefined : await findManaged(trx, id, language);
    if (picture) await insertPictures(trx, [picture]);
    const kept = change.remove_picture ? null : (before?.picture?.key ?? null);
    const content = {
      title: titled(change.title ?? before?.title ?? {}),
      description: change.description ?? before?.description ?? {},
      default_lang: change.default_lang ?? before?.default_lang ?? FALLBACK_LANGUAGE,
      is_published: change.is_published ?? before?.is_published ?? false,
      picture_key: picture?.key ?? kept,
    };
    if (before) await updateEditors(trx, before.id, content, at);
    const saved = before?.id ?? (await addEditors(trx, { ...content, slug: change.slug }, at));
    const row = await findManaged(trx, saved, language);
    await recordEditorsChange(
      trx,
      before ? 'editors_collection.change' : 'editors_collection.add',
      row,
      caller,
    );
    return row;
  });
}

async function addEditors(
  trx: Db,
  {
    slug,
    ...content
  }: Omit<Parameters<typeof insertEditors>[1], 'key' | 'slug'> & { slug: string | undefined },
  at: Date,
): Promise<number> {
  if (slug === undefined) throw refusedAt('/slug', 'must not be empty');
  if ((await findKeyBySlug(trx, slug)) !== undefined) throw appError('COLLECTION_ADDRESS_TAKEN');
  const id = await insertEditors(trx, { ...content, slug, key: newKey() }, { at, limit: EDITORS_MAX });
  if (id === undefined) throw appError('COLLECTION_LIMIT_REACHED');
  return id;
}

/** @throws NOT_FOUND */
async function findManaged(trx: Db, id: number, language: Language): Promise<ManagedCollection> {
  const rows = await readManagedEditors(trx);
  const found = rows.flatMap((row) => (row.id === id ? toManaged(row, language) : []))[0];
  if (!found) throw appError('NOT_FOUND');
  return found;
}

function toManaged(
  { editors, has_plugin, ...row }: CollectionRow & { has_plugin: boolean },
  language: Language,
): ManagedCollection[] {
  if (!editors) return [];
  const { icons, plugin_count, collection_key } = toSummary({ ...row, editors }, language);
  const is_published = row.access === 'public';
  return [{ ...editors, id: row.id, collection_key, is_published, plugin_count, icons, has_plugin }];
}

function recordEditorsChange(db: Db, action: string, row: ManagedCollection, caller: Caller): Promise<void> {
  const { id, title, default_lang, slug, is_published, picture } = row;
  return recordChange(db, caller, {
    action,
    targetKind: 'editors_collection',
    targetId: id,
    targetName: { names: title, default_lang },
    detail: { slug, is_published, picture: picture?.key ?? null },
  });
}
