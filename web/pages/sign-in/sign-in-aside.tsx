import { useTranslations } from 'use-intl';
import { CheckIcon } from '../../ui/icon/action-icons.tsx';
import styles from './sign-in-aside.module.css';
import { TilePattern } from './tile-pattern.tsx';

const POINTS = ['aside_install', 'aside_like', 'aside_access'] as const;

/** The panel beside the form, on wide screens. */
export function SignInAside() {
  const t = useTranslations('signIn');
  return (
    <aside className={styles.aside}>
      <TilePattern className={styles.pattern} />
      <div className={styles.words}>
        <p className={styles.title}>{t('aside_title')}</p>
        <ul className={styles.points}>
          {POINTS.map((point) => (
            <li key={point} className={styles.point}>
              <span className={styles.check}>
                <CheckIcon size={14} />
              </span>
              {t(point)}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}
