import { useTranslations } from 'use-intl';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { userName } from '../../features/session/user-name.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { LinkIcon } from '../../ui/icon/fact-icons.tsx';
import styles from './bind-accounts.module.css';
import type { BindParameters } from './bind-parameters.ts';

type BindAccountsProps = { parameters: BindParameters; user: UserInfo };

/** The two accounts that become one sign-in: the person's own, and that of the third party. */
export function BindAccounts({ parameters, user }: BindAccountsProps) {
  const t = useTranslations('bind');
  const { id, txDocFolderId } = parameters;
  return (
    <ul className={styles.accounts}>
      <li className={styles.account}>
        <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} />
        <div className={styles.words}>
          <p className={styles.label}>{t('own')}</p>
          <p className={styles.name}>{userName(user)}</p>
          {user.email && <p className={styles.detail}>{user.email}</p>}
        </div>
      </li>
      <li className={styles.account}>
        <span className={styles.sign}>
          <LinkIcon />
        </span>
        <div className={styles.words}>
          <p className={styles.label}>{t(txDocFolderId ? 'documents' : 'other')}</p>
          <p className={styles.name}>{id}</p>
          {txDocFolderId && <p className={styles.detail}>{t('folder', { folder: txDocFolderId })}</p>}
        </div>
      </li>
    </ul>
  );
}
