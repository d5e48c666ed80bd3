import type { FastifyInstance } from 'fastify';
import { MARKS_TOTAL_MAX } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { ManagedMark } from '../../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, textIn } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { markRoutes } from '../../../../shared/routes/tag.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { type AuditLogDetail, recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { plainTexts, refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { lockOrdered, putInOrder } from '../ordering.ts';
import { nameErrors } from '../tags/tags.ts';
import {
  type BareMark,
  countMarked,
  deleteMarkRow,
  insertMark,
  isMarkUsed,
  readManagedMarks,
  readMarks,
  reindexMarked,
  updateMark,
} from './store.ts';

/** The administration of marks. */
export function marksRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.listManagedMarks, async () => ({
    mark_list: await readManagedMarks(db),
  }));
  implement(app, contract.saveMark, ({ body, request }) => saveMark(db, body, callerOf(request)));
  implement(app, contract.orderMarks, async ({ body, request }) => {
    await putInOrder(db, 'mark', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
  implement(app, contract.deleteMark, async ({ body, request }) => {
    await deleteMark(db, body.id, callerOf(request));
    return {};
  });
}

type MarkChange = BodyOf<(typeof markRoutes)['saveMark']>;
type MarkFields = Omit<BareMark, 'id'>;

/**
 * Adds a mark, or changes the given fields of the mark with this id, except its code.
 * @throws MARK_NOT_FOUND, MARK_EXISTS at the code or name that is taken, MARK_LIMIT_REACHED, VALIDATION_FAILED
 */
async function saveMark(db: Db, { id, ...change }: MarkChange, caller: Caller): Promise<ManagedMark> {
  const saved = await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'mark');
    const marks = await readMarks(trx);
    const before = id === undefined ? undefined : findMark(marks, id);
    if (!before && marks.length >= MARKS_TOTAL_MAX) throw appError('MARK_LIMIT_REACHED');
    const wanted = mergeMark(before, change);
    const details = nameErrors(
      marks.filter((mark) => mark.id !== id),
      wanted,
      'mark',
    );
    if (details.length > 0) throw appError('MARK_EXISTS', { details });
    const mark = { id: before ? before.id : await insertMark(trx, wanted), ...wanted };
    if (before) await changeMark(trx, before, wanted);
    const { code, color, is_hidden } = mark;
    await recordMarkChange(trx, before ? 'mark.change' : 'mark.add', mark, {
      caller,
      detail: { code, color, is_hidden, ...(before && { before: nameOf(before) }) },
    });
    return mark;
  });
  // After the transaction, so that nobody waits for it.
  return { ...saved, plugin_count: await countMarked(db, saved.code) };
}

/**
 * Deletes a mark that no plugin and no waiting submission uses.
 * @throws MARK_NOT_FOUND, MARK_IN_USE
 */
async function deleteMark(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'mark');
    const mark = findMark(await readMarks(trx), id);
    if (await isMarkUsed(trx, mark.code)) throw appError('MARK_IN_USE');
    await deleteMarkRow(trx, mark);
    await recordMarkChange(trx, 'mark.delete', mark, { caller, detail: { code: mark.code } });
  });
}

async function changeMark(trx: Db, before: BareMark, wanted: MarkFields): Promise<void> {
  await updateMark(trx, { id: before.id, ...wanted });
  const isRenamed = LANGUAGES.some((language) => before.name[language] !== wanted.name[language]);
  if (isRenamed) await reindexMarked(trx, before.code);
}

function findMark(marks: readonly BareMark[], id: number): BareMark {
  const mark = marks.find((one) => one.id === id);
  if (!mark) throw appError('MARK_NOT_FOUND');
  return mark;
}

function mergeMark(before: BareMark | undefined, change: Omit<MarkChange, 'id'>): MarkFields {
  const code = before?.code ?? change.code;
  if (code === undefined) throw refusedAt('/code', 'is missing');
  const color = change.color ?? before?.color;
  if (color === undefined) throw refusedAt('/color', 'is missing');
  const name = change.name ? plainTexts(change.name, '/name') : (before?.name ?? {});
  if (Object.keys(name).length === 0) throw refusedAt('/name', 'must not be empty');
  return { code, name, color, is_hidden: change.is_hidden ?? before?.is_hidden ?? false };
}

function nameOf({ name }: Pick<BareMark, 'name'>): string {
  return textIn(name, FALLBACK_LANGUAGE, FALLBACK_LANGUAGE).text;
}

async function recordMarkChange(
  trx: Db,
  action: string,
  mark: BareMark,
  { caller, detail }: { caller: Caller; detail: AuditLogDetail },
): Promise<void> {
  const targetName = { names: mark.name, default_lang: FALLBACK_LANGUAGE };
  const target = { targetKind: 'mark', targetId: mark.id, targetName };
  await recordChange(trx, caller, { action, ...target, detail });
}
