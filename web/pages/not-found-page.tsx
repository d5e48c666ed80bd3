import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../shared/constants.ts';
import { usePageHead } from '../layout/page-head.tsx';
import { StatusPage } from '../layout/status-page.tsx';
import { buttonClass } from '../ui/button/button-class.ts';

export function NotFoundPage() {
  const t = useTranslations('error');
  usePageHead({ title: t('not_found_title'), status: 404 });
  return (
    <StatusPage code="404" title={t('not_found_title')} text={t('not_found_text')}>
      <Link className={buttonClass({ variant: 'primary' })} to={BASE_PATH}>
        {t('back_home')}
      </Link>
    </StatusPage>
  );
}
