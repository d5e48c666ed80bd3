import { sql } from 'kysely';
import { errorCode } from '../../../database/errors.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { resembledBy } from '../publisher-names/resembling.ts';

/** SQLSTATE (PostgreSQL, appendix A): somebody else has chosen it at the same moment. */
const UNIQUE_VIOLATION = '23505';

/** Handles that a person may have had; each stays theirs. */
const FORMER_MAX = 6;

/** A handle that was given at random: nobody chooses one of this form. */
const RANDOM = /^p-[0-9a-f]{12}$/;

export const isChosen = (handle: string): boolean => !RANDOM.test(handle);

/** Words of the site and of who runs it, which would make a page look like one of theirs. */
const RESERVED = new Set(
  `about abuse account admin administrator api app atom backstage blog cdn community contact dashboard
  developer developers docs edit embed feed help home info install internal legal login logout mail mark moderation
  moderator new news notifications null official oauth owner plugin plugins pluginsquare policy press privacy profile
  publish publisher publishers publishing removed report review reviewer robots root search secure security service
  settings signin signup site sitemap staff status store superadmin support sysadmin system tag tags team terms
  test trust undefined user users verified verify webmaster www`
    .split(/\s+/)
    .map(skeletonOf),
);

/** The same for handles that look alike, as `handle_skeleton` of the database. */
function skeletonOf(handle: string): string {
  return handle
    .replace(/[i1]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('-', '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/**
 * Gives a person a handle that they have chosen; the one before leads on to it.
 * @throws HANDLE_RESERVED, HANDLE_VERIFIED, HANDLE_TAKEN, HANDLE_LIMIT_REACHED
 */
export async function changeHandle(
  trx: Db,
  userId: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (!isChosen(to) || RESERVED.has(skeletonOf(to))) throw appError('HANDLE_RESERVED');
  const [resembled] = await resembledBy(trx, [to], userId);
  if (resembled?.isSame) throw appError('HANDLE_VERIFIED');
  const { rows } = await sql<{ is_taken: boolean; former: number }>`
    select exists (
        select from former_handle
          where handle_skeleton(handle) = handle_skeleton(${to}) and user_id is distinct from ${userId}
      ) as is_taken,
      (select count(*) from former_handle where user_id = ${userId} and handle <> ${to}) as former`.execute(
    trx,
  );
  const { is_taken: isTaken, former } = rows[0] ?? { is_taken: false, former: 0 };
  if (isTaken) throw appError('HANDLE_TAKEN');
  if (former >= FORMER_MAX) throw appError('HANDLE_LIMIT_REACHED');
  await sql`delete from former_handle where handle = ${to}`.execute(trx);
  await sql`insert into former_handle (handle, user_id) values (${from}, ${userId})`.execute(trx);
  try {
    await sql`update person set handle = ${to} where user_id = ${userId}`.execute(trx);
  } catch (error) {
    throw errorCode(error) === UNIQUE_VIOLATION ? appError('HANDLE_TAKEN') : error;
  }
}
