import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { Popular } from '../../features/plugins/popular.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { StatusPage } from '../../layout/status-page.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { ViewerProvider } from '../viewer-provider.tsx';

/** The account has no permission for the requested page (R 1.7). */
export function ForbiddenPage() {
  const t = useTranslations('error');
  usePageHead({ title: t('forbidden_title'), status: 403 });
  return (
    <ViewerProvider>
      <StatusPage code="403" title={t('forbidden_title')} text={t('forbidden_text')} more={<Popular />}>
        <Link className={buttonClass({ variant: 'primary' })} to={BASE_PATH}>
          {t('back_home')}
        </Link>
      </StatusPage>
    </ViewerProvider>
  );
}
