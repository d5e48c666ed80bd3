import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { screenPath } from '../frame/screens.ts';
import styles from './reports-screen.module.css';

/** Says that the list is narrowed to one plugin, and leads back to all. */
export function OnePlugin({ name }: { name: string }) {
  const t = useTranslations('reports');
  return (
    <div className={styles.narrowed}>
      <p>{t('about_one', { name })}</p>
      <Link className={buttonClass({ variant: 'outline', size: 's' })} to={screenPath('reports')}>
        {t('show_all')}
      </Link>
    </div>
  );
}
