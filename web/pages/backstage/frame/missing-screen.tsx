import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PATH } from '../../../../shared/constants.ts';
import { StatusPage } from '../../../layout/status-page.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';

/** A backstage URL without a screen, or without one for this account. */
export function MissingScreen() {
  const t = useTranslations('backstage');
  return (
    <StatusPage code="404" title={t('missing_title')} text={t('missing_text')}>
      <Link className={buttonClass({ variant: 'primary' })} to={BACKSTAGE_PATH}>
        {t('to_start')}
      </Link>
    </StatusPage>
  );
}
