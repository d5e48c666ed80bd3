import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { opensElsewhere } from '../../api/latest-location.ts';
import { stepsFromList } from '../../features/plugins/plugin-link.tsx';
import { ArrowLeftIcon } from '../../ui/icon/way-icons.tsx';
import styles from './plugin-page.module.css';

/** Back to the list; to the very place in it when the visitor came from there. */
export function BackLink() {
  const t = useTranslations('plugin');
  const navigate = useNavigate();
  const { state } = useLocation();
  const steps = stepsFromList(state);
  const back = (event: MouseEvent): void => {
    if (steps === undefined || opensElsewhere(event)) return;
    event.preventDefault();
    navigate(-steps);
  };
  return (
    <Link to={BASE_PATH} className={styles.back} onClick={back}>
      <ArrowLeftIcon />
      {t('all')}
    </Link>
  );
}
