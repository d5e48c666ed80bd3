import { useMutation, useQueryClient } from '@tanstack/react-query';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import EyeIcon from 'lucide-react/icons/eye';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import LogOutIcon from 'lucide-react/icons/log-out';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Member } from '../../../../shared/routes/member.ts';
import { isApiError } from '../../../api/api-error.ts';
import type { Payload } from '../../../api/call.ts';
import { call, type DataFor, type PayloadFor } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Menu } from '../../../ui/menu/menu.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { ShortText } from '../../../ui/visually-hidden/short-text.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { UserLabel } from '../frame/user-label.tsx';
import { ManagedTokens, type Revocation, RevokeTokens } from './managed-tokens.tsx';
import { ROLES, type RoleChange, roleOf } from './member-dialogs.tsx';
import styles from './members-screen.module.css';

/** Actions with a confirmation. */
export type Confirmation = {
  what: 'disable' | 'sign_out' | 'second_factor' | 'password_link';
  member: Member;
};

type Props = {
  member: Member;
  /** Number of active publish tokens; undefined while unknown. */
  tokenCount: number | undefined;
  onAction: (action: Confirmation) => void;
  onRoleChange: (change: RoleChange) => void;
};

/** One account; every change of its permissions needs a confirmation. */
export function MemberRow({ member, tokenCount, onAction, onRoleChange }: Props) {
  const t = useTranslations('members');
  const { user_id, nick_name, email, is_disabled, session_count, last_sign_in_at, created_at } = member;
  const { has_second_factor: hasSecondFactor } = member;
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>
          <UserLabel user={{ user_id, nick_name, avatar_url: '' }} known={email} />
          {hasSecondFactor && <Badge tone="positive">{t('second_factor')}</Badge>}
          {is_disabled && (
            <Badge tone="negative" dot>
              {t('disabled')}
            </Badge>
          )}
          <span className={styles.email}>{email}</span>
        </span>
      </th>
      <td data-label={t('role')}>
        <Select
          className={styles.role}
          label={t('role_of', { name: nick_name || email })}
          hideLabel
          size="small"
          value={`${member.role}`}
          onChange={(value) => value !== `${member.role}` && onRoleChange({ member, role: roleOf(value) })}
          options={ROLES.map(({ value, text }) => ({ value, label: t(text) }))}
        />
      </td>
      <td data-label={t('sessions')}>{session_count}</td>
      <td data-label={t('tokens')}>
        <MemberTokens member={member} count={tokenCount} />
      </td>
      <td data-label={t('last_sign_in')}>
        {last_sign_in_at ? (
          <DateTime at={last_sign_in_at} />
        ) : (
          <span className={styles.off}>{t('never')}</span>
        )}
      </td>
      <td data-label={t('created')}>
        <DateTime at={created_at} />
      </td>
      <td>
        <MemberActions member={member} onAction={onAction} />
      </td>
    </tr>
  );
}

/** Actions for an account; all but unblocking need a confirmation. */
function MemberActions({ member, onAction }: Pick<Props, 'member' | 'onAction'>) {
  const t = useTranslations();
  const enable = useMemberChange('disableMember');
  const { user_id, nick_name, email, is_disabled, session_count, has_second_factor } = member;
  const ask = (
    key: Confirmation['what'],
    text: 'sign_out' | 'password_link' | 'second_factor_remove' | 'disable',
    icon: ReactNode,
  ) => ({
    key,
    label: t(`members.${text}`),
    icon,
    onSelect: () => onAction({ what: key, member }),
  });
  return (
    <Menu
      label={t('manage.actions_named', { name: nick_name || email })}
      variant="quiet"
      size="s"
      square
      items={[
        ...(session_count > 0 ? [ask('sign_out', 'sign_out', <LogOutIcon />)] : []),
        ...(is_disabled ? [] : [ask('password_link', 'password_link', <KeyRoundIcon />)]),
        ...(has_second_factor ? [ask('second_factor', 'second_factor_remove', <ShieldCheckIcon />)] : []),
        is_disabled
          ? {
              key: 'enable',
              label: t('members.enable'),
              icon: <EyeIcon />,
              onSelect: () => enable.mutate({ user_id, is_disabled: false }),
            }
          : ask('disable', 'disable', <EyeOffIcon />),
      ]}
    >
      <EllipsisIcon size={18} />
    </Menu>
  );
}

type MemberTokensProps = {
  member: Member;
  /** Number of active tokens; undefined while unknown. */
  count: number | undefined;
};

/** Number of a member's active publish tokens; opens the list with revocation. */
function MemberTokens({ member: { user_id, nick_name, email }, count }: MemberTokensProps) {
  const t = useTranslations('members');
  const [isOpen, setOpen] = useState(false);
  const [confirming, setConfirming] = useState<Revocation>();
  const name = nick_name || email;
  if (count === undefined) return <span className={styles.off}>—</span>;
  return (
    <>
      {count === 0 ? (
        <span className={styles.off}>0</span>
      ) : (
        <Button size="s" onClick={() => setOpen(true)}>
          <ShortText full={t('tokens_count_of', { count, name })}>{t('tokens_count', { count })}</ShortText>
        </Button>
      )}
      <Dialog
        open={isOpen && confirming === undefined}
        onClose={() => setOpen(false)}
        title={t('tokens_of', { name })}
        closeLabel={t('tokens_close')}
        foot={
          count > 1 && (
            <Button variant="outline" onClick={() => setConfirming({ userId: user_id, name })}>
              {t('tokens_revoke_all')}
            </Button>
          )
        }
      >
        <ManagedTokens userId={user_id} onRevoke={(token) => setConfirming({ token })} />
      </Dialog>
      <RevokeTokens confirming={confirming} onClose={() => setConfirming(undefined)} />
    </>
  );
}

type MemberChange = 'disableMember' | 'signOutMember' | 'removeMemberSecondFactor';

/** Changes an account and refetches the list; reports when the last super administrator is affected. */
export function useMemberChange<O extends MemberChange>(operation: O) {
  const t = useTranslations('members');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (payload: PayloadFor<O> & Payload): Promise<DataFor<O>> => call(operation, payload),
    onSuccess: () => toast({ kind: 'success', text: t('changed') }),
    onError: (error) => {
      const isLast = isApiError(error) && error.reason === 'LAST_SUPER_ADMIN';
      toast({ kind: 'failure', text: t(isLast ? 'last_super' : 'change_failed') });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['listMembers'] }),
        queryClient.invalidateQueries({ queryKey: ['listMemberChanges'] }),
        // Signing out everywhere revokes tokens.
        queryClient.invalidateQueries({ queryKey: ['countManagedTokens'] }),
        queryClient.invalidateQueries({ queryKey: ['listManagedTokens'] }),
      ]),
  });
}
