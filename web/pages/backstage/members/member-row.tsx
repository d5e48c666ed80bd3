import EllipsisIcon from 'lucide-react/icons/ellipsis';
import EyeIcon from 'lucide-react/icons/eye';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import LogOutIcon from 'lucide-react/icons/log-out';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Member } from '../../../../shared/routes/member.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Menu } from '../../../ui/menu/menu.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { ShortText } from '../../../ui/visually-hidden/short-text.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { UserLabel } from '../frame/user-label.tsx';
import { ManagedTokens, type Revocation, RevokeTokens } from './managed-tokens.tsx';
import { type MemberChange, ROLES, roleOf, roleText } from './member-dialogs.tsx';
import styles from './members-screen.module.css';

type Props = {
  member: Member;
  /** The viewer's own account, which others change. */
  isOwn: boolean;
  /** Number of active publish tokens; undefined while unknown. */
  tokenCount: number | undefined;
  onChange: (change: MemberChange) => void;
};

/** One account; every change of its permissions needs a confirmation. */
export function MemberRow({ member, isOwn, tokenCount, onChange }: Props) {
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
        {isOwn ? (
          t(roleText(member.role))
        ) : (
          <Select
            className={styles.role}
            label={t('role_of', { name: nick_name || email })}
            hideLabel
            size="small"
            value={`${member.role}`}
            onChange={(value) =>
              value !== `${member.role}` && onChange({ what: 'role', member, role: roleOf(value) })
            }
            options={ROLES.map(({ value, text }) => ({ value, label: t(text) }))}
          />
        )}
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
      <td>{!isOwn && <MemberActions member={member} onChange={onChange} />}</td>
    </tr>
  );
}

/** Actions for an account. */
function MemberActions({ member, onChange }: Pick<Props, 'member' | 'onChange'>) {
  const t = useTranslations();
  const { nick_name, email, is_disabled, session_count, has_second_factor } = member;
  const ask = (
    key: Exclude<MemberChange['what'], 'role'>,
    text: 'sign_out' | 'password_link' | 'second_factor_remove' | 'disable' | 'enable',
    icon: ReactNode,
  ) => ({
    key,
    label: t(`members.${text}`),
    icon,
    onSelect: () => onChange({ what: key, member }),
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
        is_disabled ? ask('enable', 'enable', <EyeIcon />) : ask('disable', 'disable', <EyeOffIcon />),
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
  const common = useTranslations('common');
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
        closeLabel={common('close')}
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
