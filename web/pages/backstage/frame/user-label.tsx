import { useTranslations } from 'use-intl';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { Avatar } from '../../../ui/avatar/avatar.tsx';
import styles from './plugin-cell.module.css';

/** Avatar and name; users without a name are shown by another known field, or by their number. */
export function UserLabel({ user, known }: { user: PublicUser; known?: string }) {
  const t = useTranslations('backstage');
  const { user_id, nick_name, avatar_url, is_deleted } = user;
  const name = is_deleted ? t('deleted_account', { id: String(user_id) }) : nick_name || known;
  return (
    <span className={styles.person}>
      <Avatar userId={user_id} nickName={nick_name} avatarUrl={avatar_url} size={20} />
      <span className={styles.personName}>{name || t('person', { id: String(user_id) })}</span>
    </span>
  );
}
