import { type Kysely, sql } from 'kysely';

/** Withdrawals and restorations that wait for a second administrator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawal_proposal (
      id bigint generated always as identity primary key,
      plugin_id bigint references plugin on delete cascade,
      plugin_version_id bigint references plugin_version on delete cascade,
      publisher_id bigint,
      is_withdrawn boolean not null,
      reason text check (reason in ('malware', 'vulnerable', 'policy', 'legal', 'publisher')),
      texts jsonb,
      must_stop boolean,
      proposed_by bigint not null,
      proposed_at timestamptz(3) not null,
      check ((plugin_id is null) <> (publisher_id is null)),
      check (plugin_version_id is null or plugin_id is not null),
      check (is_withdrawn = (reason is not null) and is_withdrawn = (texts is not null)
        and is_withdrawn = (must_stop is not null))
    );
    comment on table withdrawal_proposal is
      'What an administrator wants to withdraw or restore, until another one confirms it or somebody calls it off.';
    comment on column withdrawal_proposal.plugin_version_id is 'Null for the whole plugin.';
    comment on column withdrawal_proposal.publisher_id is 'All plugins of this person.';
    comment on column withdrawal_proposal.is_withdrawn is 'False to restore.';
    comment on column withdrawal_proposal.texts is 'What readers will be told, by language.';
    -- One proposal for each plugin, version or publisher.
    create unique index withdrawal_proposal_of_plugin on withdrawal_proposal (plugin_id)
      where plugin_version_id is null and plugin_id is not null;
    create unique index withdrawal_proposal_of_version on withdrawal_proposal (plugin_version_id)
      where plugin_version_id is not null;
    create unique index withdrawal_proposal_of_publisher on withdrawal_proposal (publisher_id)
      where publisher_id is not null;
    -- What goes with a deleted plugin.
    create index withdrawal_proposal_by_plugin on withdrawal_proposal (plugin_id) where plugin_id is not null;
    -- What goes with a deleted account.
    create index withdrawal_proposal_by_proposer on withdrawal_proposal (proposed_by)`.execute(db);
}
