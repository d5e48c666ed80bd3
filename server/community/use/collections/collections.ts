import { randomBytes } from 'node:crypto';
import { COLLECTION_LIMITS } from '../../../../shared/constants.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { type Language, textIn } from '../../../../shared/languages.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type {
  Collection,
  CollectionSummary,
  collectionRoutes,
} from '../../../../shared/routes/collection.ts';
import { appError } from '../../../http/errors.ts';
import { cardsOf, type Reader } from '../../catalogue/plugins/cards.ts';
import { findUsable } from '../../catalogue/plugins/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canChangeCollection, canReadCollection } from '../../people/policy.ts';
import { upsertUser } from '../../people/users.ts';
import { plainText, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { lockChangeable, lockOwnCollection, recordIfEditors } from './access.ts';
import {
  type CollectionRow,
  deleteCollected,
  findCollection,
  insertCollected,
  insertCollection,
  orderCollected,
  readCollected,
  readOwnRows,
  touchCollection,
  updateCollection,
} from './store.ts';

type Routes = typeof collectionRoutes;
type Changing = { caller: Caller; at: Date };

/** A collection's key has 12 bytes: nobody guesses the address of one that is shared by its link. */
export const newKey = (): string => randomBytes(12).toString('base64url');

export async function listOwn(
  db: Db,
  pluginKey: string | undefined,
  { caller, language }: { caller: Caller; language: Language },
): Promise<CollectionSummary[]> {
  const limit = COLLECTION_LIMITS.collections;
  const rows = await readOwnRows(db, { userId: caller.user_id, pluginKey, limit });
  return rows.map(({ has_plugin, ...row }) => ({ ...toSummary(row, language), has_plugin }));
}

/** @throws COLLECTION_NOT_FOUND, also for one that the reader may not see */
export async function readCollection(db: Db, key: string, reader: Reader): Promise<Collection> {
  const { caller, language } = reader;
  const row = await findCollection(db, key, { seesAll: (found) => canChangeCollection(caller, found) });
  if (!row || !canReadCollection(caller, row)) throw appError('COLLECTION_NOT_FOUND');
  const isOwn = canChangeCollection(caller, row);
  const collected = (await readCollected(db, row.id)).filter(({ is_visible }) => isOwn || is_visible);
  const cards = await cardsOf(
    db,
    collected.map(({ id }) => id),
    reader,
  );
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return {
    ...toSummary(row, language),
    owner: ownerOf(row),
    is_own: isOwn,
    plugin_list: collected.flatMap(({ plugin_key, is_visible, domains, permissions }) => {
      const plugin = byKey.get(plugin_key);
      const rights = rightsOf({ permissions }, domains);
      return plugin
        ? [{ plugin, is_available: is_visible, domains: rights.domains, permissions: rights.permissions }]
        : [];
    }),
  };
}

export function toSummary(row: CollectionRow, language: Language): Omit<CollectionSummary, 'has_plugin'> {
  const { collection_key, access, is_hidden, plugin_count, icons, updated_at } = row;
  return {
    collection_key,
    ...textsIn(row, language),
    access,
    is_hidden,
    plugin_count,
    icons: icons.map(({ names, default_lang, icon }) => ({
      name: textIn(names, language, default_lang).text,
      icon,
    })),
    updated_at: updated_at.toISOString(),
  };
}

function textsIn({ title, description, editors }: CollectionRow, language: Language) {
  if (!editors) return { title, description };
  const { slug, default_lang, picture } = editors;
  const titled = textIn(editors.title, language, default_lang);
  const described = textIn(editors.description, language, default_lang);
  return {
    title: titled.text,
    description: described.text,
    slug,
    title_lang: titled.lang,
    description_lang: described.lang,
    ...(picture && { picture }),
  };
}

/** The editors are nobody by name. */
export function ownerOf({ owner }: Pick<CollectionRow, 'owner'>): PublicUser {
  return owner ?? { user_id: 0, nick_name: '', avatar_url: '' };
}

/**
 * Makes a collection, or changes the given fields of one.
 * @throws COLLECTION_NOT_FOUND, COLLECTION_LIMIT_REACHED; VALIDATION_FAILED without a title
 */
export async function saveCollection(
  db: Db,
  { collection_key: key, ...change }: BodyOf<Routes['saveCollection']>,
  { caller, at }: Changing,
): Promise<{ collection_key: string }> {
  return db.transaction().execute(async (trx) => {
    const before = key === undefined ? undefined : await lockOwnCollection(trx, key, caller);
    const texts = {
      title: before && change.title === undefined ? before.title : requiredText(change.title ?? '', '/title'),
      description: plainText(change.description ?? before?.description ?? '', '/description'),
      access: change.access ?? before?.access ?? ('private' as const),
    };
    if (before && key !== undefined) {
      await updateCollection(trx, before.id, texts, at);
      return { collection_key: key };
    }
    await upsertUser(trx, caller);
    const collection_key = newKey();
    const added = { key: collection_key, userId: caller.user_id, ...texts };
    if (!(await insertCollection(trx, added, { at, limit: COLLECTION_LIMITS.collections })))
      throw appError('COLLECTION_LIMIT_REACHED');
    return { collection_key };
  });
}

/** @throws COLLECTION_NOT_FOUND, PLUGIN_NOT_FOUND for a plugin that is not published, COLLECTION_FULL */
export async function collectPlugin(
  db: Db,
  { collection_key: key, plugin_key: pluginKey, is_in: isIn }: BodyOf<Routes['collectPlugin']>,
  { caller, at }: Changing,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const locked = await lockChangeable(trx, key, caller);
    const { id } = locked;
    if (isIn) {
      const pluginId = await findUsable(trx, pluginKey);
      if (pluginId === undefined) throw appError('PLUGIN_NOT_FOUND');
      if (!(await insertCollected(trx, { id, pluginId }, { at, limit: COLLECTION_LIMITS.plugins })))
        throw appError('COLLECTION_FULL');
    } else await deleteCollected(trx, id, pluginKey);
    await touchCollection(trx, id, at);
    await recordIfEditors(trx, locked, { caller, detail: { [isIn ? 'added' : 'removed']: pluginKey } });
  });
}

/** @throws COLLECTION_NOT_FOUND; CONFLICT if it has other plugins by now */
export async function orderCollection(
  db: Db,
  { collection_key: key, plugin_keys: keys }: BodyOf<Routes['orderCollection']>,
  { caller, at }: Changing,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const locked = await lockChangeable(trx, key, caller);
    if (!(await orderCollected(trx, locked.id, keys))) throw appError('CONFLICT');
    await touchCollection(trx, locked.id, at);
    await recordIfEditors(trx, locked, { caller, detail: { order: keys.join(' ') } });
  });
}
