import { useTranslations } from 'use-intl';
import type { Unpublished } from '../../../../shared/entities/plugin.ts';
import { ClockIcon } from '../../../ui/icon/fact-icons.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import styles from './unpublished-notice.module.css';

/** Says to those who see it that others do not, and why. */
export function UnpublishedNotice({ state }: { state: Unpublished }) {
  const t = useTranslations('installation');
  return (
    <section className={styles.notice} aria-labelledby="unpublished">
      {state === 'waiting' ? <ClockIcon size={20} /> : <AlertIcon size={20} />}
      <div>
        <h2 id="unpublished" className={styles.title}>
          {t(`${state}_title`)}
        </h2>
        <p className={styles.text}>{t(`${state}_text`)}</p>
      </div>
    </section>
  );
}
