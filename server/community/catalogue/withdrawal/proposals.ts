import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { WithdrawalProposal } from '../../../../shared/entities/backstage.ts';
import type { Language } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { nameIn } from '../../names.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { canConfirm } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import { deleteProposal, type ProposalRow, readProposal, readProposals } from './proposal-store.ts';
import { withdrawPublisher } from './publisher.ts';
import type { Withdrawing } from './store.ts';
import { withdraw } from './withdrawal.ts';

/**
 * Does what another administrator has proposed. For a whole publisher a repeated call continues, as the proposal goes last.
 * @returns the number of changed plugins and versions
 * @throws NOT_FOUND, also when it was called off or confirmed; OWN_PROPOSAL
 */
async function confirm(db: Db, id: number, withdrawing: Withdrawing): Promise<number> {
  const found = await readProposal(db, id);
  if (!found) throw appError('NOT_FOUND');
  const { plugin_key: pluginKey, publisher_id: publisherId, withdrawal, proposed_by: proposedBy } = found;
  if (!canConfirm(withdrawing.caller, found)) throw appError('OWN_PROPOSAL');
  const confirming = { ...withdrawing, proposedBy };
  if (publisherId !== null) {
    const changed = await withdrawPublisher(db, publisherId, withdrawal, confirming);
    await deleteProposal(db, id);
    return changed;
  }
  return db.transaction().execute(async (trx) => {
    if (pluginKey === null || !(await deleteProposal(trx, id))) throw appError('NOT_FOUND');
    const target = { pluginKey, version: found.version ?? undefined };
    return Number(await withdraw(trx, target, withdrawal, confirming));
  });
}

function toProposal(row: ProposalRow, { language, userId }: { language: Language; userId: number }) {
  const { plugin, reason, texts, must_stop, proposed_at, ...rest } = row;
  const proposal: WithdrawalProposal = {
    ...rest,
    plugin: plugin && { plugin_key: plugin.plugin_key, name: nameIn(plugin, language) },
    withdrawal: reason && texts && must_stop !== null ? { reason, text: texts, must_stop } : null,
    proposed_at: proposed_at.toISOString(),
    is_own: !canConfirm({ user_id: userId }, { proposed_by: row.proposed_by.user_id }),
  };
  return proposal;
}

/** Withdrawals that wait for a second administrator (setting WITHDRAW_FOUR_EYES). */
export function proposalRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const withdrawingOf = (request: FastifyRequest) => ({ caller: callerOf(request), at: new Date(now()) });
  implement(app, contract.listWithdrawalProposals, async ({ request }) => {
    const reader = { language: languageOf(request), userId: callerOf(request).user_id };
    const rows = await readProposals(db);
    return { is_needed: app.community.fourEyes, proposal_list: rows.map((row) => toProposal(row, reader)) };
  });
  implement(app, contract.confirmWithdrawal, async ({ body, request }) => ({
    change_count: await confirm(db, body.id, withdrawingOf(request)),
  }));
  implement(app, contract.callOffWithdrawal, async ({ body }) => {
    if (!(await deleteProposal(db, body.id))) throw appError('NOT_FOUND');
    return {};
  });
}
