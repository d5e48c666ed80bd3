import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BADGE_MAX } from '../../../shared/constants.ts';
import { NOTICES_PATH } from '../../../shared/notice.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { BellIcon } from '../../ui/icon/account-icons.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './notices-bell.module.css';
import { useUnreadNotices } from './notices-queries.ts';

/** Leads to the notices and shows how many are unread; what comes while the page is open is said politely. */
export function NoticesBell() {
  const t = useTranslations('session');
  const { count = 0, isThere } = useUnreadNotices();
  const news = useNews(isThere ? count : undefined);
  if (isThere === false) return null;
  if (isThere === undefined) return <span className={styles.place} />;
  const shown = count > BADGE_MAX ? `${BADGE_MAX}+` : String(count);
  return (
    <>
      <Link
        className={buttonClass({ variant: 'quiet', square: true }, styles.bell)}
        to={NOTICES_PATH}
        aria-label={count > 0 ? t('notices_unread', { count: shown }) : t('notices')}
      >
        <BellIcon size={20} />
        {count > 0 && (
          <span className={styles.count} aria-hidden="true">
            {shown}
          </span>
        )}
      </Link>
      <span aria-live="polite">
        <VisuallyHidden>{news ? t('notices_unread', { count: shown }) : ''}</VisuallyHidden>
      </span>
    </>
  );
}

/** Whether there are more than there were on this page before. */
function useNews(count: number | undefined): boolean {
  const before = useRef<number | undefined>(undefined);
  const [isNews, setNews] = useState(false);
  useEffect(() => {
    if (count === undefined) return;
    if (before.current !== undefined && count !== before.current) setNews(count > before.current);
    before.current = count;
  }, [count]);
  return isNews;
}
