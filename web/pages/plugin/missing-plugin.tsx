import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { PackageIcon } from '../../ui/icon/account-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';

/** Stands where a plugin is asked for that is not there. */
export function MissingPlugin() {
  const t = useTranslations('plugin');
  usePageHead({ title: t('missing_title'), status: 404 });
  return (
    <Notice
      as="h1"
      icon={<PackageIcon size={22} />}
      title={t('missing_title')}
      text={t('missing_text')}
      action={
        <Link to={BASE_PATH} className={buttonClass({ variant: 'primary' })}>
          {t('all')}
        </Link>
      }
    />
  );
}
