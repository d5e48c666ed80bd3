import { sql } from 'kysely';
import type { WithdrawalReason } from '../../../../shared/constants.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { type Names, namesOf } from '../../names.ts';
import { publicUserOf } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import type { NewWithdrawal } from './store.ts';

/** What is to be withdrawn or restored: a plugin, a version of it, or all plugins of a person. */
export type ProposalTarget = { pluginId: number; versionId: number | null } | { publisherId: number };

/**
 * Stores a proposal; the proposer's own one for the same target is replaced.
 * @returns false if another administrator has one for it
 */
export async function upsertProposal(
  trx: Db,
  target: ProposalTarget,
  { by, at, withdrawal }: { by: number; at: Date; withdrawal: NewWithdrawal | null },
): Promise<boolean> {
  const { pluginId, versionId, publisherId } = {
    pluginId: null,
    versionId: null,
    publisherId: null,
    ...target,
  };
  await sql`
    delete from withdrawal_proposal
      where proposed_by = ${by} and plugin_id is not distinct from ${pluginId}::bigint
        and plugin_version_id is not distinct from ${versionId}::bigint
        and publisher_id is not distinct from ${publisherId}::bigint`.execute(trx);
  const { rows } = await sql`
    insert into withdrawal_proposal (plugin_id, plugin_version_id, publisher_id, is_withdrawn, reason, texts,
        must_stop, proposed_by, proposed_at)
      values (${pluginId}, ${versionId}, ${publisherId}, ${withdrawal !== null}, ${withdrawal?.reason ?? null},
        ${withdrawal && JSON.stringify(withdrawal.texts)}, ${withdrawal?.mustStop ?? null}, ${by}, ${at})
      on conflict do nothing returning id`.execute(trx);
  return rows.length > 0;
}

export type ProposalRow = {
  id: number;
  plugin: (Names & { plugin_key: string }) | null;
  version: string | null;
  publisher: PublicUser | null;
  is_withdrawn: boolean;
  reason: WithdrawalReason | null;
  texts: Texts | null;
  must_stop: boolean | null;
  proposed_by: PublicUser;
  proposed_at: Date;
};

/** Proposals that are listed. Few wait at a time. */
const LISTED_MAX = 200;

/** Reads proposals, the oldest first. */
export async function readProposals(db: Db): Promise<ProposalRow[]> {
  const { rows } = await sql<ProposalRow>`
    select w.id, w.is_withdrawn, w.reason, w.texts, w.must_stop, w.proposed_at, v.version,
        case when p.id is not null then jsonb_build_object('plugin_key', p.plugin_key,
          'default_lang', p.default_lang, 'names', ${namesOf('p.id')}) end as plugin,
        ${publicUserOf('w.publisher_id')} as publisher, ${publicUserOf('w.proposed_by')} as proposed_by
      from withdrawal_proposal w left join plugin p on p.id = w.plugin_id
        left join plugin_version v on v.id = w.plugin_version_id
      order by w.id limit ${LISTED_MAX}`.execute(db);
  return rows;
}

type Proposal = {
  plugin_key: string | null;
  version: string | null;
  publisher_id: number | null;
  proposed_by: number;
  withdrawal: NewWithdrawal | null;
};

/** @returns undefined if there is none; one that was replaced has another id */
export async function readProposal(db: Db, id: number): Promise<Proposal | undefined> {
  const { rows } = await sql<Proposal>`
    select w.publisher_id, w.proposed_by,
        (select plugin_key from plugin where id = w.plugin_id) as plugin_key,
        (select version from plugin_version where id = w.plugin_version_id) as version,
        case when w.is_withdrawn then jsonb_build_object('reason', w.reason, 'texts', w.texts,
          'mustStop', w.must_stop, 'isOfPublisher', w.publisher_id is not null) end as withdrawal
      from withdrawal_proposal w where w.id = ${id}`.execute(db);
  return rows[0];
}

/** @returns false if there is none */
export async function deleteProposal(trx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('withdrawal_proposal')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
