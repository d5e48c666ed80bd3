import { sql } from 'kysely';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { LANGUAGES, type Texts } from '../../../shared/languages.ts';
import { isTagTaken } from '../../../shared/tags.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { rememberPerson } from '../people/store.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';

/** What administrators name in all languages and put in order: tags and marks. */
type Kind = 'tag' | 'mark';
type Named = { code: string; name: Texts };

/** Places whose code or name belongs to another one: either may be used to say which is meant. */
export function nameFaults(others: readonly Named[], { code, name }: Named, kind: Kind): ErrorDetail[] {
  const named = others.map((one) => ({ code: one.code, names: Object.values(one.name) }));
  const places = [
    { pointer: '/code', text: code },
    ...LANGUAGES.map((language) => ({ pointer: `/name/${language}`, text: name[language] ?? '' })),
  ];
  return places
    .filter(({ text }) => text !== '' && isTagTaken(named, text))
    .map(({ pointer }) => ({ pointer, message: `belongs to another ${kind}` }));
}

/**
 * Puts all of a kind in this order; those that are not named stay behind them. To be called with all of them locked.
 * @throws VALIDATION_FAILED for an id that comes twice, CONFLICT for one that is gone
 */
export async function orderNamed(
  trx: Db,
  to: { kind: Kind; ids: readonly number[]; known: readonly { id: number }[]; caller: Caller },
): Promise<void> {
  const { kind, ids, caller } = to;
  if (new Set(ids).size < ids.length) throw refusedAt('/ids', `must not name a ${kind} twice`);
  const known = to.known.map(({ id }) => id);
  if (ids.some((id) => !known.includes(id))) throw appError('CONFLICT');
  const ordered = [...ids, ...known.filter((id) => !ids.includes(id))];
  if (ordered.every((id, index) => id === known[index])) return;
  await sql`
    update ${sql.table(kind)} t set position = wanted.place - 1
      from unnest(${ordered}::integer[]) with ordinality as wanted (id, place)
      where t.id = wanted.id and t.position <> wanted.place - 1`.execute(trx);
  await rememberPerson(trx, caller);
  const target = { targetKind: kind, targetId: 'all', targetName: '' };
  const detail = { order: ordered.join(' ') };
  await writeTrail(trx, { actorId: caller.user_id, action: `${kind}.order`, ...target, detail });
}
