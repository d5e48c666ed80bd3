import type { FastifyInstance } from 'fastify';
import { AUDIT_WAITING, PAGE_SIZE, QUEUE_PLACES } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { EditablePlugin, OwnPlugin, QueuePlace } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { readDailyInstalls } from '../../catalogue/counters/statistics-store.ts';
import { findEditablePlugin } from '../../catalogue/plugins/access.ts';
import { toTag } from '../../catalogue/plugins/cards.ts';
import { lockPlugin } from '../../catalogue/plugins/store.ts';
import { toAuditItem } from '../../catalogue/submissions/items.ts';
import { resolveListings } from '../../catalogue/submissions/listings.ts';
import { readSubmissionRows } from '../../catalogue/submissions/store.ts';
import { greatestVersion } from '../../catalogue/versions/versions.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, LatestPlace } from '../../pages.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import {
  countOwn,
  markDeleted,
  readEditableRow,
  readHiddenTags,
  readOwnRows,
  readQueuePlaces,
  readUsualWait,
  readVersionNumbers,
} from './store.ts';

type OwnQuery = QueryOf<typeof contract.listOwnPlugins>;
type OwnPage = DataOf<typeof contract.listOwnPlugins>;
/** Days whose installs are listed with each plugin. */
const INSTALL_DAYS = 30;

type Reader = { caller: Caller; language: Language; now: number };

/**
 * A page of the caller's own plugins, each with its last submission.
 * @throws BAD_CURSOR
 */
export async function listOwnPlugins(
  db: Db,
  { cursor, limit = PAGE_SIZE }: OwnQuery,
  { caller, language, now }: Reader,
): Promise<OwnPage> {
  const userId = caller.user_id;
  const list = ['own', userId];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [total, found] = await Promise.all([
    countOwn(db, userId),
    readOwnRows(db, { userId, after, limit: limit + 1 }),
  ]);
  const { rows, next_cursor } = cutPage(found, limit, {
    list,
    placeOf: ({ sort_key, plugin_id }) => [sort_key, plugin_id],
  });
  const submissionIds = rows.map((row) => row.submission_id);
  const [submissions, installs] = await Promise.all([
    readSubmissionRows(db, submissionIds, userId),
    readDailyInstalls(
      db,
      rows.map((row) => row.plugin_id),
      { until: new Date(now), days: INSTALL_DAYS },
    ),
  ]);
  const queueOf = await queuePlaces(db, submissions, now);
  return {
    ...cappedTotal(total),
    next_cursor,
    plugin_list: submissions.map(
      (row): OwnPlugin => ({
        ...toAuditItem(row, language, now),
        daily_installs: installs.get(row.plugin_id) ?? [],
        ...queueOf(row.id),
      }),
    ),
  };
}

type Submitted = { id: number; audit_status: 1 | 2 | 3; created_at: Date };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Older decisions are no estimate for today. */
const PAST = 90 * DAY;
/** Waiting times are shown in these steps, hours. */
const STEPS = [2, 24, 72, 168, 720];

/** Places in the queue of the waiting submissions; nothing for decided ones. */
async function queuePlaces(
  db: Db,
  submissions: readonly Submitted[],
  now: number,
): Promise<(submissionId: number) => { queue?: QueuePlace }> {
  const waiting = submissions.filter(({ audit_status }) => audit_status === AUDIT_WAITING);
  if (waiting.length === 0) return () => ({});
  const ids = waiting.map(({ id }) => id);
  const [places, usual] = await Promise.all([
    readQueuePlaces(db, ids),
    readUsualWait(db, new Date(now - PAST)),
  ]);
  const hours = (usual !== undefined && STEPS.find((step) => usual <= step * HOUR)) || null;
  const queues = waiting.map(({ id, created_at }): [number, { queue: QueuePlace }] => {
    const place = places.get(id);
    const is_late = hours !== null && now - created_at.getTime() > hours * HOUR;
    return [
      id,
      {
        queue: {
          place: place ?? QUEUE_PLACES + 1,
          place_estimated: place === undefined,
          usual_wait_hours: hours,
          is_late,
        },
      },
    ];
  });
  const byId = new Map(queues);
  return (submissionId) => byId.get(submissionId) ?? {};
}

/**
 * The last submission of a plugin for its editing form, for the publisher and administrators.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
async function readEditablePlugin(
  db: Db,
  pluginKey: string,
  { caller, language, now }: Reader,
): Promise<EditablePlugin> {
  const { id } = await findEditablePlugin(db, pluginKey, caller);
  const [found, versions] = await Promise.all([readEditableRow(db, id), readVersionNumbers(db, id)]);
  if (!found) throw appError('PLUGIN_NOT_FOUND');
  const { created_at, ...row } = found;
  const [listing] = await resolveListings(db, [row.listing]);
  if (!listing) throw appError('PLUGIN_NOT_FOUND');
  const { submission_id, audit_status } = row;
  const [hidden, queueOf] = await Promise.all([
    readHiddenTags(db, listing.tags),
    queuePlaces(db, [{ id: submission_id, audit_status, created_at }], now),
  ]);
  return {
    ...row,
    plugin_key: pluginKey,
    listing,
    hidden_tags: hidden.map((tag) => toTag(tag, language)),
    last_version: greatestVersion(versions) ?? row.version,
    ...queueOf(submission_id),
  };
}

/**
 * Deletes a plugin: it is no longer found, and its waiting submission is withdrawn. Users who have installed it keep it
 * until they uninstall it. It is in the audit log.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
async function deletePlugin(db: Db, pluginKey: string, caller: Caller, now: number): Promise<void> {
  const { id } = await findEditablePlugin(db, pluginKey, caller);
  await db.transaction().execute(async (trx) => {
    const plugin = await lockPlugin(trx, pluginKey);
    const isDone = await markDeleted(trx, id, new Date(now));
    if (!plugin || !isDone) throw appError('PLUGIN_NOT_FOUND');
    await recordChange(trx, caller, {
      action: 'plugin.delete',
      targetKind: 'plugin',
      targetId: pluginKey,
      targetName: plugin,
    });
  });
}

/** Publishers' own plugins, and their deletion. */
export function ownRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.listOwnPlugins, ({ query, request }) =>
    listOwnPlugins(db, query, { caller: callerOf(request), language: languageOf(request), now: now() }),
  );
  implement(app, contract.readEditablePlugin, ({ query, request }) =>
    readEditablePlugin(db, query.plugin_key, {
      caller: callerOf(request),
      language: languageOf(request),
      now: now(),
    }),
  );
  implement(app, contract.deletePlugin, async ({ body, request }) => {
    await deletePlugin(db, body.plugin_key, callerOf(request), now());
    return {};
  });
}
