import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { ListingEvent } from '../../../../shared/entities/plugin.ts';
import { type Language, textIn } from '../../../../shared/languages.ts';
import { permissionChanges, rightsOf } from '../../../../shared/package/permission-changes.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import { implement } from '../../../http/implement.ts';
import { cutPage, decodeCursor, PlaceCount, PlaceMoment } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import type { Reader } from '../plugins/cards.ts';
import { readerOf } from '../plugins/plugins.ts';
import { type EventRow, readHistory } from './store.ts';

type Route = typeof contract.listHistory;

/** Time, rank and id of an event. */
const EventPlace = Type.Tuple([PlaceMoment, Type.Integer({ minimum: 0, maximum: 9 }), PlaceCount]);
type EventPlace = Static<typeof EventPlace>;

/**
 * A page of what happened to a listing, latest first.
 * @throws PLUGIN_NOT_FOUND, BAD_CURSOR
 */
async function listHistory(
  db: Db,
  { plugin_key: pluginKey, cursor, limit = PAGE_SIZE }: QueryOf<Route>,
  { caller, language }: Reader,
): Promise<DataOf<Route>> {
  const list = ['history', pluginKey];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, EventPlace);
  const { id: pluginId } = await findSeenPlugin(db, pluginKey, caller);
  const found = await readHistory(db, pluginId, { after, limit: limit + 1 });
  const { rows, next_cursor } = cutPage(found, limit, {
    list,
    placeOf: ({ at, rank, id }): EventPlace => [at.getTime(), rank, id],
  });
  return { next_cursor, event_list: rows.flatMap((row) => toEvent(row, language) ?? []) };
}

/** Undefined for an approval that has changed nothing that is still shown. */
function toEvent(row: EventRow, language: Language): ListingEvent | undefined {
  const isFirst = row.kind === 'approved' && row.name_before === null;
  const renamed = renamedIn(row, language);
  const rights = isFirst ? null : changedRights(row);
  const parts = row.parts ?? [];
  const isSilent = !isFirst && row.version === null && parts.length === 0;
  if (row.kind === 'approved' && isSilent) return undefined;
  return {
    kind: row.kind === 'approved' ? (isFirst ? 'published' : 'changed') : row.kind,
    at: row.at.toISOString(),
    version: row.version,
    renamed,
    parts,
    rights,
  };
}

/** The names in the reader's language, if they differ. */
function renamedIn({ name, name_before: before }: EventRow, language: Language): ListingEvent['renamed'] {
  if (!name || !before) return null;
  const from = textIn(before.names, language, before.default_lang);
  const to = textIn(name.names, language, name.default_lang);
  if (from.text === to.text) return null;
  return { from: from.text, from_lang: from.lang, to: to.text, to_lang: to.lang };
}

function changedRights({ rights, rights_before: before }: EventRow): ListingEvent['rights'] {
  if (!rights || !before) return null;
  const { domains, permissions } = permissionChanges(
    rightsOf(before.manifest, before.domains),
    rightsOf(rights.manifest, rights.domains),
  );
  const changed = [domains, permissions].some(({ added, removed }) => added.length + removed.length > 0);
  if (!changed) return null;
  return {
    domains: { added: domains.added, removed: domains.removed },
    permissions: { added: permissions.added, removed: permissions.removed },
  };
}

/** The history of a listing. */
export function historyRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.listHistory, ({ query, request }) => listHistory(db, query, readerOf(request)));
}
