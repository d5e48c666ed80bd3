import { sql } from 'kysely';
import type { PROOF_WAYS } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import type { Domain } from './domain.ts';

export type ProofWay = (typeof PROOF_WAYS)[number];

export type VerificationRow = {
  verified_as: string | null;
  domain: string | null;
  token: string | null;
  verified_at: Date | null;
  way: ProofWay | null;
  failing_since: Date | null;
  is_verified: boolean | null;
  reason: string | null;
  decided_at: Date | null;
};

export async function readVerification(db: Db, userId: number): Promise<VerificationRow | undefined> {
  const { rows } = await sql<VerificationRow>`
    select p.verified_as, d.domain, d.token, d.verified_at, d.way, d.failing_since,
        v.is_verified, v.reason, v.decided_at
      from person p
      left join publisher_domain d on d.user_id = p.user_id
      left join verification_decision v on v.user_id = p.user_id
      where p.user_id = ${userId} and p.deleted_at is null`.execute(db);
  return rows[0];
}

/** Keeps the domain of a publisher; another one takes the place of the former with its proof. */
export async function writeDomain(
  trx: Db,
  userId: number,
  { domain, shownAs, token }: Domain & { token: string },
): Promise<void> {
  await sql`
    insert into publisher_domain as d (user_id, domain, shown_as, token)
      values (${userId}, ${domain}, ${shownAs}, ${token})
      on conflict (user_id) do update
        set domain = excluded.domain, shown_as = excluded.shown_as, token = excluded.token,
            verified_at = null, way = null, failing_since = null, unreachable_since = null, next_check_at = null
        where d.domain <> excluded.domain`.execute(trx);
}

export async function deleteDomain(trx: Db, userId: number): Promise<void> {
  await sql`delete from publisher_domain where user_id = ${userId}`.execute(trx);
}

/** The domain that a check is about, as it was before: another one may be there when the answer comes. */
export type Checked = { user_id: number; token: string };

/** Keeps that the proof was found. */
export async function writeProved(
  trx: Db,
  { user_id, token }: Checked,
  { way, at, next }: { way: ProofWay; at: Date; next: Date },
): Promise<void> {
  await sql`
    update publisher_domain
      set verified_at = coalesce(verified_at, ${at}), way = ${way}, failing_since = null,
          unreachable_since = null, next_check_at = ${next}
      where user_id = ${user_id} and token = ${token}`.execute(trx);
}

export type Failing = { shown_as: string; failing_since: Date; is_first: boolean };

/** Keeps that the proof was missing; undefined if the domain is not proved any more. */
export async function writeFailing(
  trx: Db,
  { user_id, token }: Checked,
  { at, next }: { at: Date; next: Date },
): Promise<Failing | undefined> {
  const { rows } = await sql<Failing>`
    with was as (
      select failing_since from publisher_domain
        where user_id = ${user_id} and token = ${token} and verified_at is not null for update
    )
    update publisher_domain d
      set failing_since = coalesce(d.failing_since, ${at}), unreachable_since = null, next_check_at = ${next}
      from was where d.user_id = ${user_id}
      returning d.shown_as, d.failing_since, was.failing_since is null as is_first`.execute(trx);
  return rows[0];
}

/** Keeps that nothing answered; undefined if the domain is not proved any more. */
export async function writeUnreachable(
  trx: Db,
  { user_id, token }: Checked,
  { at, next }: { at: Date; next: Date },
): Promise<{ unreachable_since: Date; failing_since: Date | null } | undefined> {
  const { rows } = await sql<{ unreachable_since: Date; failing_since: Date | null }>`
    update publisher_domain set unreachable_since = coalesce(unreachable_since, ${at}), next_check_at = ${next}
      where user_id = ${user_id} and token = ${token} and verified_at is not null
      returning unreachable_since, failing_since`.execute(trx);
  return rows[0];
}

/** Sets when proved domains are checked again, and nothing else. */
export async function writeNextCheck(db: Db, checked: readonly Checked[], next: Date): Promise<void> {
  await sql`
    update publisher_domain d set next_check_at = ${next}
      from unnest(${checked.map(({ user_id }) => user_id)}::bigint[], ${checked.map(({ token }) => token)}::text[])
        as c (user_id, token)
      where d.user_id = c.user_id and d.token = c.token and d.verified_at is not null`.execute(db);
}

/** The domain is not proved any more. */
export async function endProof(trx: Db, userId: number): Promise<void> {
  await sql`
    update publisher_domain
      set verified_at = null, way = null, failing_since = null, unreachable_since = null, next_check_at = null
      where user_id = ${userId}`.execute(trx);
}

/** Gives a person the mark that follows from domain and decision, or takes it. */
export async function settleMark(trx: Db, userId: number): Promise<void> {
  await sql`
    update person p set verified_as = mark.verified_as
      from (
        select case when v.is_verified is false then null
            when d.verified_at is not null then d.shown_as
            when v.is_verified then '' end as verified_as
          from person k
          left join publisher_domain d on d.user_id = k.user_id
          left join verification_decision v on v.user_id = k.user_id
          where k.user_id = ${userId}
      ) mark
      where p.user_id = ${userId} and p.deleted_at is null and p.verified_as is distinct from mark.verified_as`.execute(
    trx,
  );
}

/** Takes domains that are due, for this instance alone until `lease`: one that stops leaves them to others. */
export async function takeDue(
  db: Db,
  { at, lease, limit }: { at: Date; lease: Date; limit: number },
): Promise<(Checked & { domain: string; way: ProofWay })[]> {
  const { rows } = await sql<Checked & { domain: string; way: ProofWay }>`
    update publisher_domain d set next_check_at = ${lease} from (
        select user_id from publisher_domain where next_check_at <= ${at}
          order by next_check_at limit ${limit} for update skip locked
      ) due
      where d.user_id = due.user_id returning d.user_id, d.domain, d.token, d.way`.execute(db);
  return rows;
}
