import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { buttonClass } from '../../ui/button/button-class.ts';

/** The way on from a page that has nothing to show. */
export function BrowseLink() {
  const t = useTranslations('common');
  return (
    <Link className={buttonClass({ variant: 'primary' })} to={BASE_PATH}>
      {t('browse')}
    </Link>
  );
}
