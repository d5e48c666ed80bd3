import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import ClockIcon from 'lucide-react/icons/clock';
import { useTranslations } from 'use-intl';
import type { Unpublished } from '../../../shared/entities/plugin.ts';
import styles from './plugin-notice.module.css';

/** Explains to its publisher and administrators why a plugin isn't public. */
export function UnpublishedNotice({ state }: { state: Unpublished }) {
  const t = useTranslations('installation');
  return (
    <section className={styles.notice} aria-labelledby="unpublished">
      {state === 'waiting' ? <ClockIcon size={20} /> : <CircleAlertIcon size={20} />}
      <div>
        <h2 id="unpublished" className={styles.title}>
          {t(`${state}_title`)}
        </h2>
        <p className={styles.text}>{t(`${state}_text`)}</p>
      </div>
    </section>
  );
}
