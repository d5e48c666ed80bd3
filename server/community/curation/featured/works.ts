import { CAROUSEL_SLIDES, FEATURED_WORKS_MAX } from '../../../../shared/constants.ts';
import type { ManagedWork } from '../../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { featuredRoutes } from '../../../../shared/routes/featured.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { appError } from '../../../http/errors.ts';
import { lockOrdered } from '../../catalogue/ordering.ts';
import type { StoredPicture } from '../../files/media/pictures.ts';
import { insertPictures } from '../../files/media/store.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { plainTexts, refusedAt, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  deleteWorkRow,
  insertWork,
  type ManagedWorkRow,
  readManagedWorks,
  updateWork,
  type WorkContent,
} from './store.ts';

type WorkForm = Omit<BodyOf<(typeof featuredRoutes)['saveWork']>, 'id'>;

/** Lists all works in their order; the first visible ones are shown. */
export async function listManagedWorks(db: Db): Promise<ManagedWork[]> {
  const rows = await readManagedWorks(db);
  const visible = rows.filter(({ picture, is_hidden }) => picture && !is_hidden);
  const shown = new Set(visible.slice(0, CAROUSEL_SLIDES));
  return rows.map((row) => ({ ...row, is_shown: shown.has(row) }));
}

/**
 * Validates the fields of a form.
 * @throws LINK_INVALID; VALIDATION_FAILED for an empty text
 */
export function validateWork({ title, author, url, ...rest }: WorkForm): WorkForm {
  const titles = title && plainTexts(title, '/title');
  if (titles && Object.keys(titles).length === 0) throw refusedAt('/title', 'must not be empty');
  return {
    ...rest,
    ...(titles && { title: titles }),
    ...(author !== undefined && { author: requiredText(author, '/author') }),
    ...(url !== undefined && { url: workLink(url) }),
  };
}

/**
 * Adds a work, or changes the given fields of the work with this id.
 * @throws NOT_FOUND, WORK_LIMIT_REACHED; VALIDATION_FAILED for a new one without title, author, link or picture
 */
export async function saveWork(
  db: Db,
  { id, change, picture }: { id: number | undefined; change: WorkForm; picture: StoredPicture | undefined },
  caller: Caller,
): Promise<ManagedWork> {
  return db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'featured_work');
    const works = await readManagedWorks(trx);
    const before = id === undefined ? undefined : findWork(works, id);
    if (!before && works.length >= FEATURED_WORKS_MAX) throw appError('WORK_LIMIT_REACHED');
    if (picture) await insertPictures(trx, [picture]);
    const content = mergeContent(before, change, picture?.key ?? before?.picture?.key);
    if (before) await updateWork(trx, before.id, content);
    const saved = before ? before.id : await insertWork(trx, content);
    const work = findWork(await listManagedWorks(trx), saved);
    await recordWorkChange(trx, before ? 'work.change' : 'work.add', work, caller);
    return work;
  });
}

/**
 * Deletes a work; the sweep removes its picture.
 * @throws NOT_FOUND
 */
export async function deleteWork(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'featured_work');
    const work = findWork(await readManagedWorks(trx), id);
    await deleteWorkRow(trx, id);
    await recordWorkChange(trx, 'work.delete', work, caller);
  });
}

function findWork<Work extends ManagedWorkRow>(works: readonly Work[], id: number): Work {
  const work = works.find((one) => one.id === id);
  if (!work) throw appError('NOT_FOUND');
  return work;
}

function workLink(text: string): string {
  const link = siteLink(requiredText(text, '/url'));
  if (link === null) throw appError('LINK_INVALID');
  return link;
}

function mergeContent(
  before: ManagedWorkRow | undefined,
  change: WorkForm,
  picture_key: string | undefined,
): WorkContent {
  const { title, author, url } = { ...before, ...change };
  if (title === undefined) throw refusedAt('/title', 'must not be empty');
  if (author === undefined) throw refusedAt('/author', 'must not be empty');
  if (url === undefined) throw refusedAt('/url', 'must not be empty');
  if (picture_key === undefined) throw refusedAt('/picture', 'must not be empty');
  const { default_lang, view_num, like_num, is_hidden } = change;
  return {
    title,
    author,
    url,
    picture_key,
    default_lang: default_lang ?? before?.default_lang ?? FALLBACK_LANGUAGE,
    view_num: view_num ?? before?.view_num ?? 0,
    like_num: like_num ?? before?.like_num ?? 0,
    is_hidden: is_hidden ?? before?.is_hidden ?? false,
  };
}

function recordWorkChange(db: Db, action: string, work: ManagedWorkRow, caller: Caller): Promise<void> {
  const { title, default_lang, url, is_hidden, picture } = work;
  return recordChange(db, caller, {
    action,
    targetKind: 'featured_work',
    targetId: work.id,
    targetName: { names: title, default_lang },
    detail: { url, is_hidden, picture: picture?.key ?? null },
  });
}
