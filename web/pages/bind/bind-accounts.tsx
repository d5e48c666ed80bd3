import { useTranslations } from 'use-intl';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { DataFor } from '../../api/client.ts';
import { userName } from '../../features/session/user-name.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { LinkIcon } from '../../ui/icon/fact-icons.tsx';
import styles from './bind-accounts.module.css';

type BindAccountsProps = { bound: DataFor<'readBind'>; folder: string | undefined; user: UserInfo };

/** The two accounts that become one sign-in: the person's own, and that of the third party. */
export function BindAccounts({ bound, folder, user }: BindAccountsProps) {
  const t = useTranslations();
  const { label, method, name, email, avatar_url } = bound;
  const shown = name || email;
  const of =
    method === null
      ? t(folder ? 'bind.documents' : 'bind.other')
      : t('bind.at', { name: label ?? t('signIn.sso') });
  return (
    <ul className={styles.accounts}>
      <li className={styles.account}>
        <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} />
        <div className={styles.words}>
          <p className={styles.label}>{t('bind.own')}</p>
          <p className={styles.name}>{userName(user)}</p>
          {user.email && <p className={styles.detail}>{user.email}</p>}
        </div>
      </li>
      <li className={styles.account}>
        {method === null ? (
          <span className={styles.sign}>
            <LinkIcon />
          </span>
        ) : (
          <Avatar userId={user.user_id + 1} nickName={shown} avatarUrl={avatar_url} />
        )}
        <div className={styles.words}>
          <p className={styles.label}>{of}</p>
          <p className={styles.name}>{shown}</p>
          {email && email !== shown && <p className={styles.detail}>{email}</p>}
          {folder && <p className={styles.detail}>{t('bind.folder', { folder })}</p>}
        </div>
      </li>
    </ul>
  );
}
