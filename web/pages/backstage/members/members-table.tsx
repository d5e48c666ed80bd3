import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Member } from '../../../../shared/entities/backstage.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { MemberRow } from './member-row.tsx';
import { useMemberChange } from './use-member-change.ts';

/** What is asked about before it is done. */
export type Asked = { what: 'disable' | 'sign_out'; member: Member };

export function MembersTable({ members, busy }: { members: readonly Member[]; busy: boolean }) {
  const t = useTranslations('members');
  const [asked, setAsked] = useState<Asked>();
  const disable = useMemberChange('disableMember');
  const signOut = useMemberChange('signOutMember');
  const close = (): void => setAsked(undefined);
  const confirm = ({ what, member: { user_id } }: Asked): void => {
    if (what === 'disable') disable.mutate({ user_id, is_disabled: true }, { onSettled: close });
    else signOut.mutate({ user_id }, { onSettled: close });
  };
  const name = asked?.member.nick_name || asked?.member.email || '';
  return (
    <>
      <Table caption={t('title')} hideCaption busy={busy} width="wide">
        <thead>
          <tr>
            <th scope="col">{t('person')}</th>
            <th scope="col">{t('role')}</th>
            <th scope="col">{t('sessions')}</th>
            <th scope="col">{t('last_sign_in')}</th>
            <th scope="col">{t('created')}</th>
            <th scope="col">{t('actions')}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.user_id} member={member} onAsk={setAsked} />
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        open={asked !== undefined}
        title={asked?.what === 'disable' ? t('disable_title', { name }) : t('sign_out_title', { name })}
        confirmLabel={t(asked?.what === 'disable' ? 'disable' : 'sign_out')}
        cancelLabel={t('cancel')}
        tone="danger"
        busy={disable.isPending || signOut.isPending}
        onConfirm={() => asked && confirm(asked)}
        onClose={close}
      >
        {t(asked?.what === 'disable' ? 'disable_text' : 'sign_out_text')}
      </ConfirmDialog>
    </>
  );
}
