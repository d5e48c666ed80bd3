import { type Kysely, sql } from 'kysely';

/** Domains that publishers prove to be theirs, what administrators decide about it, and the mark that follows from both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table person add column verified_as text;
    comment on column person.verified_as is
      'The publisher is verified: the proved domain as it is shown, or empty by decision of an administrator.';
    -- Verified publishers, for administrators.
    create index person_verified on person (user_id) where verified_as is not null;

    create table publisher_domain (
      user_id bigint primary key references person,
      domain text not null,
      shown_as text not null check (shown_as <> ''),
      token text not null,
      verified_at timestamptz(3),
      way text check (way in ('dns', 'well_known')),
      failing_since timestamptz(3),
      next_check_at timestamptz(3),
      check ((verified_at is null) = (way is null)),
      check ((verified_at is null) = (next_check_at is null)),
      check (failing_since is null or verified_at is not null)
    );
    comment on table publisher_domain is 'Domains of publishers; several may prove the same one.';
    comment on column publisher_domain.domain is 'As DNS has it.';
    comment on column publisher_domain.shown_as is 'In letters of its language, unless these could be mistaken.';
    comment on column publisher_domain.token is 'What the domain has to say; it is no secret.';
    comment on column publisher_domain.verified_at is 'Since when it is proved; null before, and after the proof was missing for long.';
    comment on column publisher_domain.failing_since is 'First check in a row without the proof.';
    -- Domains to be checked again.
    create index publisher_domain_to_check on publisher_domain (next_check_at) where next_check_at is not null;

    create table verification_decision (
      user_id bigint primary key references person,
      is_verified boolean not null,
      reason text not null,
      decided_by bigint not null,
      decided_at timestamptz(3) not null
    );
    comment on table verification_decision is
      'Publishers whom an administrator has verified, or whose mark they have taken away, whatever domain is proved.';

    -- Lists are filtered by it.
    drop trigger note_new_name on person;
    create trigger note_new_name after update on person
      for each row when (
        old.nick_name <> new.nick_name or (old.verified_as is null) <> (new.verified_as is null)
      ) execute function note_new_name()`.execute(db);
}
