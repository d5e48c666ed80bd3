import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { Popular } from '../../features/plugins/popular.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { StatusPage } from '../../layout/status-page.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { ViewerProvider } from '../viewer-provider.tsx';

export function NotFoundPage() {
  const t = useTranslations('error');
  usePageHead({ title: t('not_found_title'), status: 404 });
  return (
    <ViewerProvider>
      <StatusPage code="404" title={t('not_found_title')} text={t('not_found_text')} more={<Popular />}>
        <Link className={buttonClass({ variant: 'primary' })} to={BASE_PATH}>
          {t('back_home')}
        </Link>
      </StatusPage>
    </ViewerProvider>
  );
}
