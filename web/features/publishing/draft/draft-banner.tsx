import { useFormatter, useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { HistoryIcon } from '../../../ui/icon/work-icons.tsx';
import { useForm } from '../publish-form-context.ts';
import styles from './draft-banner.module.css';

/** Says that a draft is back, or that an older one waits; and what of it is missing. */
export function DraftBanner() {
  const t = useTranslations('publish');
  const format = useFormatter();
  const { draft, dismissDraft, takeDraft, startOver } = useForm();
  if (!draft) return null;
  const { saved_at, file_names } = draft.draft;
  const time = format.dateTime(saved_at, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className={styles.banner}>
      <span className={styles.icon}>
        <HistoryIcon size={18} />
      </span>
      <div className={styles.texts} role="status">
        <p className={styles.title}>{t(draft.isOlder ? 'draft_older' : 'draft_back', { time })}</p>
        {file_names.length > 0 && !draft.isOlder && (
          <p>{t('draft_files', { names: format.list(file_names) })}</p>
        )}
        {draft.isOlder && <p>{t('draft_older_text')}</p>}
      </div>
      <div className={styles.actions}>
        {draft.isOlder ? (
          <Button variant="outline" size="s" onClick={takeDraft}>
            {t('draft_take')}
          </Button>
        ) : (
          <Button variant="outline" size="s" onClick={dismissDraft}>
            {t('draft_go_on')}
          </Button>
        )}
        <Button variant="quiet" size="s" onClick={startOver}>
          {t('draft_discard')}
        </Button>
      </div>
    </div>
  );
}
