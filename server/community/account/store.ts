import { sql } from 'kysely';
import type { AccountChange, RoleChange } from '../../../shared/identity-calls.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Holdings, PluginsAfter } from '../../../shared/routes/account.ts';
import { type Names, nameIn, namesOf } from '../names.ts';
import { markDeleted } from '../publishing/own/store.ts';
import type { Db } from '../schema.ts';

/** Settings with the last applied change: of accounts, and of roles. */
type Seen = 'account_changes_seen' | 'role_changes_seen';
/** Uploaded profile pictures per user that are not shown yet. */
const PENDING_PICTURES_MAX = 5;

/** Reads the id of the last applied change, optionally with a row lock. */
export async function readSeen(db: Db, name: Seen, { lock = false } = {}): Promise<number> {
  const { rows } = await sql<{ seen: number }>`
    select value::text::bigint as seen from setting where name = ${name} ${lock ? sql`for update` : sql``}`.execute(
    db,
  );
  return rows[0]?.seen ?? 0;
}

/** Inserts the row if it is missing, so that it can be locked. */
export async function ensureSeen(trx: Db, name: Seen): Promise<void> {
  await sql`insert into setting (name, value) values (${name}, '0') on conflict do nothing`.execute(trx);
}

export async function writeSeen(db: Db, name: Seen, seen: number): Promise<void> {
  await sql`
    insert into setting (name, value) values (${name}, to_jsonb(${seen}::bigint))
      on conflict (name) do update set value = excluded.value, updated_at = now()`.execute(db);
}

type Change = ({ kind: 'account' } & AccountChange) | ({ kind: 'role' } & RoleChange);
type Retry = { tries: number; nextTryAt: Date };

/** Keeps a change that failed for a later try, in place of an earlier one of the same account. */
export async function upsertFailedChange(
  trx: Db,
  { change, tries, nextTryAt }: { change: Change } & Retry,
): Promise<void> {
  await sql`
    insert into failed_change (kind, user_id, change, tries, next_try_at)
      values (${change.kind}, ${change.user_id}, ${JSON.stringify(change)}, ${tries}, ${nextTryAt})
      on conflict (kind, user_id) do update
        set change = excluded.change, tries = excluded.tries, next_try_at = excluded.next_try_at`.execute(
    trx,
  );
}

/** Failed changes of a run: the others wait for the next one. */
const FAILED_AT_ONCE = 100;

export async function readFailedChanges(db: Db, at: Date): Promise<{ change: Change; tries: number }[]> {
  const { rows } = await sql<{ change: Change; tries: number }>`
    select change, tries from failed_change where next_try_at <= ${at}
      order by next_try_at limit ${FAILED_AT_ONCE}`.execute(db);
  return rows;
}

/** @returns false if another instance is applying it, has done so, or a later change has replaced it */
export async function lockFailedChange(trx: Db, { kind, user_id, id }: Change): Promise<boolean> {
  const { rows } = await sql`
    select from failed_change where kind = ${kind} and user_id = ${user_id} and (change->>'id')::bigint = ${id}
      for update skip locked`.execute(trx);
  return rows.length > 0;
}

export async function postponeFailedChange(
  db: Db,
  { kind, user_id }: Change,
  { tries, nextTryAt }: Retry,
): Promise<void> {
  await sql`
    update failed_change set tries = ${tries}, next_try_at = ${nextTryAt}
      where kind = ${kind} and user_id = ${user_id} and tries < ${tries}`.execute(db);
}

export async function deleteFailedChange(trx: Db, kind: Change['kind'], userId: number): Promise<void> {
  await sql`delete from failed_change where kind = ${kind} and user_id = ${userId}`.execute(trx);
}

/** Stores an uploaded profile picture, which is not shown yet; only the latest few of these are kept. */
export async function insertPersonPicture(trx: Db, userId: number, key: string): Promise<void> {
  await sql`
    insert into person_picture (user_id, picture_key) values (${userId}, ${key})
      on conflict (user_id, picture_key) do update set created_at = now()`.execute(trx);
  await sql`
    delete from person_picture o where user_id = ${userId}
      and not exists (select from person p where p.user_id = o.user_id and strpos(p.avatar_url, o.picture_key) > 0)
      and picture_key not in (
        select picture_key from person_picture where user_id = ${userId}
          order by created_at desc, picture_key limit ${PENDING_PICTURES_MAX}
      )`.execute(trx);
}

type Shown = NonNullable<AccountChange['shown']> & { pictureKey: string | null };

/** Updates name and picture of a known user; the sweep removes earlier pictures. */
export async function updatePerson(trx: Db, userId: number, shown: Shown, at: Date): Promise<void> {
  const { nick_name, avatar_url, pictureKey } = shown;
  await sql`
    update person set nick_name = ${nick_name}, avatar_url = ${avatar_url}, told_at = ${at}
      where user_id = ${userId} and deleted_at is null`.execute(trx);
  await sql`
    delete from person_picture
      where user_id = ${userId} and picture_key is distinct from ${pictureKey} and created_at < ${at}`.execute(
    trx,
  );
}

/** Removes everything but the id of a user. @returns false if it was done before */
export async function anonymizePerson(trx: Db, userId: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into person as p (user_id, nick_name, avatar_url, role, told_at, deleted_at)
      values (${userId}, '', '', 0, ${at}, ${at})
      on conflict (user_id) do update
        set nick_name = '', avatar_url = '', role = 0, verified_as = null, told_at = ${at}, deleted_at = ${at}
        where p.deleted_at is null
      returning user_id`.execute(trx);
  if (rows.length > 0) await forgetHandles(trx, userId);
  return rows.length > 0;
}

/** Handles of a deleted account stay reserved, without telling whose they were. */
async function forgetHandles(trx: Db, userId: number): Promise<void> {
  await sql`
    insert into former_handle (handle)
      select handle from person where user_id = ${userId} on conflict (handle) do nothing`.execute(trx);
  await sql`update person set handle = new_handle() where user_id = ${userId}`.execute(trx);
  await sql`update former_handle set user_id = null where user_id = ${userId}`.execute(trx);
}

/** Reads accounts deleted since a time, whose running requests may still have written rows. */
export async function readDeletedSince(db: Db, since: Date): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from person where deleted_at > ${since}`.execute(db);
  return rows.map((row) => row.user_id);
}

/**
 * Deletes the personal data of a user: likes and installs with their counts, follows, collections, tokens, notices, pictures, and claimed or
 * opened reviews.
 */
export async function deletePersonalData(trx: Db, userId: number): Promise<void> {
  await sql`
    with unliked as (
      delete from plugin_like where user_id = ${userId} returning plugin_id
    ), uninstalled as (
      update plugin_install set uninstalled_at = now()
        where user_id = ${userId} and uninstalled_at is null returning plugin_id
    ), moved as (
      select plugin_id, sum(likes) as likes, sum(install) as install from (
        select plugin_id, 1 as likes, 0 as install from unliked
        union all select plugin_id, 0, 1 from uninstalled
      ) each_one group by plugin_id
    ), locked as materialized (
      select c.plugin_id, moved.likes, moved.install from plugin_counter c join moved using (plugin_id)
        order by c.plugin_id for no key update of c
    )
    update plugin_counter c
      set praise_count = praise_count - locked.likes, install_count = install_count - locked.install
      from locked where c.plugin_id = locked.plugin_id`.execute(trx);
  await sql`delete from plugin_install where user_id = ${userId}`.execute(trx);
  await sql`delete from plugin_trial where user_id = ${userId}`.execute(trx);
  await sql`delete from withdrawal_proposal where proposed_by = ${userId}`.execute(trx);
  await sql`delete from active_person where user_id = ${userId}`.execute(trx);
  await sql`delete from update_preference where user_id = ${userId}`.execute(trx);
  await sql`delete from notice where user_id = ${userId}`.execute(trx);
  await sql`delete from notice_off where user_id = ${userId}`.execute(trx);
  await sql`delete from collection_report where user_id = ${userId}`.execute(trx);
  await sql`delete from collection where user_id = ${userId}`.execute(trx);
  await sql`delete from follow where user_id = ${userId} or publisher_id = ${userId}`.execute(trx);
  await sql`delete from publish_token where user_id = ${userId}`.execute(trx);
  await sql`delete from publisher_profile where user_id = ${userId}`.execute(trx);
  await sql`delete from publisher_domain where user_id = ${userId}`.execute(trx);
  await sql`delete from verification_decision where user_id = ${userId}`.execute(trx);
  await sql`delete from publisher_report where publisher_id = ${userId}`.execute(trx);
  await sql`delete from person_picture where user_id = ${userId}`.execute(trx);
  await sql`delete from failed_change where user_id = ${userId} and kind = 'role'`.execute(trx);
  await sql`delete from review_opening where user_id = ${userId}`.execute(trx);
  await sql`
    update submission set claimed_by = null, claimed_until = null
      where audit_status = 1 and not is_superseded and claimed_by = ${userId}`.execute(trx);
}

type PluginsKept = { kept: number; removed: number };

/** Fields of a stored listing that lead to the person and may be left out. */
const CONTACTS = ['support_translations', 'home_page', 'source_url', 'issues_url'];

/**
 * Keeps or deletes the published plugins of a user; deletes unpublished plugins and waiting submissions. Contact details are
 * removed from everything that is kept.
 */
export async function closePublisherAccount(
  trx: Db,
  userId: number,
  { plugins, at }: { plugins: PluginsAfter; at: Date },
): Promise<PluginsKept> {
  const { rows } = await sql<{ id: number; is_published: boolean }>`
    select id, audit_status = 2 and current_version_id is not null as is_published from plugin
      where publisher_id = ${userId} and deleted_at is null order by id for no key update`.execute(trx);
  const isKept = (row: { is_published: boolean }) => row.is_published && plugins === 'keep';
  const kept = rows.filter(isKept);
  for (const { id } of rows.filter((row) => !isKept(row))) await markDeleted(trx, id, at);
  await sql`
    update submission s set is_superseded = true from plugin p
      where p.publisher_id = ${userId} and s.plugin_id = p.id and s.audit_status = 1 and not s.is_superseded`.execute(
    trx,
  );
  await sql`
    update submission s
      set listing = s.listing - ${CONTACTS}::text[] || '{"contact":"","support":""}'::jsonb from plugin p
      where p.publisher_id = ${userId} and s.plugin_id = p.id
        and (s.listing->>'contact' <> '' or s.listing->>'support' <> '' or s.listing ?| ${CONTACTS}::text[])`.execute(
    trx,
  );
  await sql`
    update plugin set contact = '', support = '', home_page = '', source_url = '', issues_url = ''
      where publisher_id = ${userId}
        and (contact || support || home_page || source_url || issues_url) <> ''`.execute(trx);
  await sql`
    update plugin_text t set support = '' from plugin p
      where p.publisher_id = ${userId} and t.plugin_id = p.id and t.support <> ''`.execute(trx);
  return { kept: kept.length, removed: rows.length - kept.length };
}

type PublishedRow = Names & { plugin_key: string };

/** Published plugins named in a response. */
const NAMES_MAX = 50;

export async function readHoldings(
  db: Db,
  { userId, language, at }: { userId: number; language: Language; at: Date },
): Promise<Holdings> {
  const { rows } = await sql<Omit<Holdings, 'published'> & { published: PublishedRow[] }>`
    select
      coalesce((
        select jsonb_agg(latest) from (
          select p.plugin_key, p.default_lang, ${namesOf('p.id')} as names
            from plugin p where p.publisher_id = ${userId} and p.deleted_at is null
              and p.audit_status = 2 and p.current_version_id is not null
            order by p.updated_at desc, p.id desc limit ${NAMES_MAX}
        ) latest
      ), '[]') as published,
      own.published_count, own.unpublished_count,
      (select count(*)::int from plugin p join submission s on s.plugin_id = p.id
        where p.publisher_id = ${userId} and p.deleted_at is null
          and s.audit_status = 1 and not s.is_superseded) as waiting_count,
      (select count(*)::int from plugin_install where user_id = ${userId} and uninstalled_at is null)
        as install_count,
      (select count(*)::int from plugin_like where user_id = ${userId}) as like_count,
      (select count(*)::int from report where user_id = ${userId}) as report_count,
      (select count(*)::int from publish_token
        where user_id = ${userId} and revoked_at is null and expires_at > ${at}) as token_count
      from (
        select count(*) filter (where audit_status = 2 and current_version_id is not null)::int as published_count,
            count(*) filter (where audit_status <> 2 or current_version_id is null)::int as unpublished_count
          from plugin where publisher_id = ${userId} and deleted_at is null
      ) own`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('query returned no row');
  const published = row.published.map((plugin) => ({
    plugin_key: plugin.plugin_key,
    name: nameIn(plugin, language),
  }));
  return { ...row, published };
}
