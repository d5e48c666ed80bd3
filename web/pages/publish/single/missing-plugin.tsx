import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { PackageIcon } from '../../../ui/icon/account-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import styles from './single-page.module.css';

/** Stands where a plugin is to be edited that is not there, or is somebody else's. */
export function MissingPlugin() {
  const t = useTranslations('publish');
  return (
    <div className={styles.page}>
      <Notice
        as="h1"
        icon={<PackageIcon size={22} />}
        title={t('missing')}
        text={t('missing_text')}
        action={
          <Link to={MY_PLUGINS_PATH} className={buttonClass({ variant: 'primary' })}>
            {t('back')}
          </Link>
        }
      />
    </div>
  );
}
