import { useLocale, useTranslations } from 'use-intl';
import type { Withdrawal } from '../../../shared/entities/plugin.ts';
import styles from './note.module.css';

/** What happened to a withdrawn plugin or version, and what its users do. */
export function WithdrawalNote({ withdrawal }: { withdrawal: Withdrawal }) {
  const t = useTranslations('removed');
  const locale = useLocale();
  const { reason, text, text_lang, must_stop } = withdrawal;
  const what = must_stop ? 'must_stop' : 'may_keep';
  return (
    <div className={styles.note}>
      <p className={styles.reason}>{t(`reason_${reason}`)}</p>
      <p className={styles.text} lang={text_lang === locale ? undefined : text_lang}>
        {text}
      </p>
      <p className={styles.reason}>{t(what)}</p>
      <p>{t(`${what}_text`)}</p>
    </div>
  );
}
