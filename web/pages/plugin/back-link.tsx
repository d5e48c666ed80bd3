import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { Link } from '../../routing/link.tsx';
import { useLocation, useNavigate } from '../../routing/router-context.ts';
import { ArrowLeftIcon } from '../../ui/icon/way-icons.tsx';
import styles from './plugin-page.module.css';

/** Back to the list; to the very place in it when the visitor came from there. */
export function BackLink() {
  const t = useTranslations('plugin');
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  const fromList = typeof state === 'object' && state !== null && 'fromList' in state;
  const back = (event: MouseEvent): void => {
    if (!fromList || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(-1);
  };
  return (
    <Link to={BASE_PATH} className={styles.back} onClick={back}>
      <ArrowLeftIcon />
      {t('all')}
    </Link>
  );
}
