import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Member } from '../../../../shared/entities/backstage.ts';
import type { Proof } from '../../../../shared/entities/proof.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { type AskedRole, PasswordLink, RoleDialog } from './member-dialogs.tsx';
import { type Asked, MemberRow, useMemberChange } from './member-row.tsx';

/** Texts of what is asked. */
const QUESTIONS = {
  disable: { title: 'disable_title', text: 'disable_text', confirm: 'disable' },
  sign_out: { title: 'sign_out_title', text: 'sign_out_text', confirm: 'sign_out' },
  second_factor: {
    title: 'second_factor_title',
    text: 'second_factor_text',
    confirm: 'second_factor_remove',
  },
} as const;

type Props = {
  members: readonly Member[];
  /** How the viewer proves again who they are. */
  proof: Proof;
  busy: boolean;
};

export function MembersTable({ members, proof, busy }: Props) {
  const t = useTranslations('members');
  const [asked, setAsked] = useState<Asked>();
  const [askedRole, setAskedRole] = useState<AskedRole>();
  const disable = useMemberChange('disableMember');
  const signOut = useMemberChange('signOutMember');
  const tokenCounts = useTokenCounts(members);
  const removeSecondFactor = useMemberChange('removeMemberSecondFactor');
  const close = (): void => setAsked(undefined);
  const confirm = (what: keyof typeof QUESTIONS, user_id: number): void => {
    if (what === 'disable') disable.mutate({ user_id, is_disabled: true }, { onSettled: close });
    else if (what === 'sign_out') signOut.mutate({ user_id }, { onSettled: close });
    else removeSecondFactor.mutate({ user_id }, { onSettled: close });
  };
  return (
    <>
      <Table caption={t('title')} hideCaption busy={busy} width="wide" hasActions>
        <thead>
          <tr>
            <th scope="col">{t('person')}</th>
            <th scope="col">{t('role')}</th>
            <th scope="col">{t('sessions')}</th>
            <th scope="col">{t('tokens')}</th>
            <th scope="col">{t('last_sign_in')}</th>
            <th scope="col">{t('created')}</th>
            <th scope="col">{t('actions')}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              tokenCount={tokenCounts.get(member.user_id)}
              onAsk={setAsked}
              onAskRole={setAskedRole}
            />
          ))}
        </tbody>
      </Table>
      {askedRole && <RoleDialog {...askedRole} proof={proof} onClose={() => setAskedRole(undefined)} />}
      {asked?.what === 'password_link' && <PasswordLink member={asked.member} onClose={close} />}
      {asked && asked.what !== 'password_link' && (
        <ConfirmDialog
          open
          title={t(QUESTIONS[asked.what].title, { name: asked.member.nick_name || asked.member.email })}
          confirmLabel={t(QUESTIONS[asked.what].confirm)}
          cancelLabel={t('cancel')}
          tone="danger"
          busy={disable.isPending || signOut.isPending || removeSecondFactor.isPending}
          onConfirm={() => asked.what !== 'password_link' && confirm(asked.what, asked.member.user_id)}
          onClose={close}
        >
          {t(QUESTIONS[asked.what].text)}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Members whose tokens one call counts. */
const AT_ONCE = 100;

/** How many publish tokens of each member work; those of a longer list stay while it is counted again. */
function useTokenCounts(members: readonly Member[]): ReadonlyMap<number, number> {
  const ids = members.map(({ user_id }) => user_id);
  const { data } = useQuery({
    queryKey: ['countManagedTokens', { ids }],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) =>
        ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
      );
      const answers = await Promise.all(
        parts.map((part) => call('countManagedTokens', { user_ids: part.join(',') })),
      );
      return answers.flatMap(({ count_list }) => count_list);
    },
    placeholderData: (previous) => previous,
  });
  return new Map((data ?? []).map(({ user_id, count }) => [user_id, count]));
}
