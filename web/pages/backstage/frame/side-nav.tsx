import { NavLink } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ROLE_USER } from '../../../../shared/constants.ts';
import { useSession } from '../../../features/session/use-session.ts';
import { SCREENS, type Screen, screenPath } from './screens.ts';
import styles from './side-nav.module.css';

const GROUPS: readonly Screen['group'][] = ['work', 'curation', 'insight', 'settings'];

/** Screens of the backstage that this account may see, by group. */
export function SideNav() {
  const t = useTranslations('backstage');
  const role = useSession().role ?? ROLE_USER;
  const offered = SCREENS.filter(({ isFor }) => isFor?.(role) ?? true);
  return (
    <nav className={styles.nav} aria-label={t('navigation')}>
      {GROUPS.map((group) => (
        <div key={group} className={styles.group}>
          <h2 className={styles.heading} id={`nav-${group}`}>
            {t(`group_${group}`)}
          </h2>
          <ul aria-labelledby={`nav-${group}`}>
            {offered
              .filter((screen) => screen.group === group)
              .map(({ path, title, icon: Icon, Count }) => (
                <li key={path}>
                  <NavLink className={() => styles.link} to={screenPath(path)}>
                    <Icon size={18} />
                    {t(title)}
                    {Count && <Count />}
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
