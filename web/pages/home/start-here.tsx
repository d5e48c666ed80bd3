import ListChecksIcon from 'lucide-react/icons/list-checks';
import PackagePlusIcon from 'lucide-react/icons/package-plus';
import UploadIcon from 'lucide-react/icons/upload';
import type { LucideIcon } from 'lucide-react/types';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PATH } from '../../../shared/constants.ts';
import { BATCH_PATH, PUBLISH_PATH } from '../publish/publish-paths.ts';
import styles from './start-here.module.css';

type Way = { text: 'start_import' | 'start_publish' | 'start_setup'; to: string; Icon: LucideIcon };

const WAYS: readonly Way[] = [
  { text: 'start_import', to: BATCH_PATH, Icon: PackagePlusIcon },
  { text: 'start_publish', to: PUBLISH_PATH, Icon: UploadIcon },
  { text: 'start_setup', to: BACKSTAGE_PATH, Icon: ListChecksIcon },
];

/** What administrators see in place of the list while nothing is published. */
export function StartHere() {
  const t = useTranslations('home');
  return (
    <section className={styles.start} aria-labelledby="start-here">
      <h2 id="start-here" className={styles.title}>
        {t('start_title')}
      </h2>
      <p className={styles.lead}>{t('start_text')}</p>
      <ul className={styles.ways}>
        {WAYS.map(({ text, to, Icon }) => (
          <li key={text} className={styles.way}>
            <Icon className={styles.icon} />
            <Link className={styles.name} to={to}>
              {t(text)}
            </Link>
            <p className={styles.text}>{t(`${text}_text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
