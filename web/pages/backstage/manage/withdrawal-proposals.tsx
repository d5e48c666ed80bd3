import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { WithdrawalProposal } from '../../../../shared/entities/backstage.ts';
import { textIn } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FramedRow, FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import styles from './manage.module.css';

/** Proposals of withdrawals, and whether the site asks for a second administrator. */
export const PROPOSALS = queryOptionsOf('listWithdrawalProposals', {}, { staleTime: 0 });

/** What waits for a second administrator; nothing if nothing does. */
export function WithdrawalProposals() {
  const t = useTranslations('withdrawing');
  const { data } = useQuery(PROPOSALS);
  const proposals = data?.proposal_list ?? [];
  if (proposals.length === 0) return null;
  return (
    <section className={styles.proposals} aria-label={t('proposals')}>
      <h2>{t('proposals')}</h2>
      <p>{t('proposals_lead')}</p>
      <FramedRows>
        {proposals.map((proposal) => (
          <Proposal key={proposal.id} proposal={proposal} />
        ))}
      </FramedRows>
    </section>
  );
}

/** One proposal with its reason and texts; its proposer can only call it off. */
function Proposal({ proposal }: { proposal: WithdrawalProposal }) {
  const t = useTranslations('withdrawing');
  const common = useTranslations('common');
  const format = useFormatter();
  const [isConfirming, setIsConfirming] = useState(false);
  const failed = { failed: common('failed'), errorMessages: { NOT_FOUND: t('proposal_gone') } };
  const close = (): void => setIsConfirming(false);
  const confirm = useOperation('confirmWithdrawal', () => ({ id: proposal.id }), {
    ...failed,
    done: t('confirmed'),
    onSuccess: close,
  });
  const callOff = useOperation('callOffWithdrawal', () => ({ id: proposal.id }), {
    ...failed,
    failsIn: 'toast',
    done: t('called_off'),
  });
  const name = useProposalName(proposal);
  const { proposed_by, proposed_at, is_own, is_withdrawn } = proposal;
  return (
    <FramedRow>
      <div className={styles.proposal}>
        <h3>{name}</h3>
        <p>
          {t('proposed_by', {
            name: proposed_by.nick_name,
            when: format.dateTime(new Date(proposed_at), { dateStyle: 'medium', timeStyle: 'short' }),
          })}
        </p>
        <ProposedTexts proposal={proposal} />
      </div>
      {!is_own && (
        <Button variant="primary" size="s" onClick={() => setIsConfirming(true)}>
          {t('confirm')}
        </Button>
      )}
      <Button variant="outline" size="s" busy={callOff.isPending} onClick={() => callOff.mutate()}>
        {t('call_off')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={name}
        tone={is_withdrawn ? 'danger' : 'normal'}
        confirmLabel={t('confirm')}
        busy={confirm.isPending}
        error={confirm.failure}
        onConfirm={() => confirm.mutate()}
        onClose={close}
      >
        <ProposedTexts proposal={proposal} />
        <p>{t(is_withdrawn ? 'confirm_withdraw' : 'confirm_restore')}</p>
      </ConfirmDialog>
    </FramedRow>
  );
}

/** What would be withdrawn or restored, in words. */
function useProposalName({ plugin, version, publisher, is_withdrawn }: WithdrawalProposal): string {
  const t = useTranslations('withdrawing');
  const what = is_withdrawn ? 'propose_withdraw' : 'propose_restore';
  if (!plugin) return t(what, { what: t('scope', { publisher: publisher?.nick_name ?? '' }) });
  return t(what, { what: version === null ? plugin.name : `${plugin.name} ${version}` });
}

/** Reason, consequence and the texts in all their languages, as everybody would read them. */
function ProposedTexts({ proposal: { withdrawal } }: { proposal: WithdrawalProposal }) {
  const reasons = useTranslations('removed');
  const locale = useLocale();
  if (!withdrawal) return null;
  const { lang: first } = textIn(withdrawal.text, locale, locale);
  const texts = Object.entries(withdrawal.text).sort(([a], [b]) => Number(b === first) - Number(a === first));
  return (
    <>
      <p>
        {reasons(`reason_${withdrawal.reason}`)} · {reasons(withdrawal.must_stop ? 'must_stop' : 'may_keep')}
      </p>
      {texts.map(([lang, text]) => (
        <p key={lang} lang={lang === locale ? undefined : lang}>
          {text}
        </p>
      ))}
    </>
  );
}
