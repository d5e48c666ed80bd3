import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { InfoIcon } from '../../../ui/icon/sign-icons.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import { HistoryIcon } from '../../../ui/icon/work-icons.tsx';
import { useFormFields, useFormSettings } from '../form-contexts.tsx';
import { useBytesText } from '../use-bytes-text.ts';
import type { PublishForm } from '../use-publish-form.ts';
import styles from './form-notes.module.css';
import { nearLimit, nearQuota } from './rules-used.ts';
import type { Sending } from './use-submission.ts';

/** Says that a draft is back, or that an older one waits; and what of it is missing. */
export function DraftBanner({ draft }: Pick<PublishForm, 'draft'>) {
  const t = useTranslations('publish');
  const format = useFormatter();
  const { shown, dismiss, take, discard } = draft;
  if (!shown) return null;
  const { isOlder } = shown;
  const { saved_at, file_names } = shown.draft;
  const time = format.dateTime(saved_at, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className={styles.banner}>
      <span className={styles.icon}>
        <HistoryIcon size={18} />
      </span>
      <div className={styles.bannerTexts} role="status">
        <p className={styles.bannerTitle}>{t(isOlder ? 'draft_older' : 'draft_back', { time })}</p>
        {file_names.length > 0 && !isOlder && <p>{t('draft_files', { names: format.list(file_names) })}</p>}
        {isOlder && <p>{t('draft_older_text')}</p>}
      </div>
      <div className={styles.actions}>
        <Button variant="outline" size="s" onClick={isOlder ? take : dismiss}>
          {t(isOlder ? 'draft_take' : 'draft_go_on')}
        </Button>
        <Button variant="quiet" size="s" onClick={discard}>
          {t('draft_discard')}
        </Button>
      </div>
    </div>
  );
}

/** What is left of a limit, once most of it is used. */
export function RulesHint() {
  const t = useTranslations('publish');
  const bytes = useBytesText();
  const { rules } = useFormSettings();
  if (!rules) return null;
  const limit = nearLimit(rules);
  const isSpaceShort = nearQuota(rules);
  if (!limit && !isSpaceShort) return null;
  return (
    <div className={styles.hint}>
      <InfoIcon size={18} />
      <div>
        {limit && <p>{t(`limit_${limit.window}`, { left: limit.left })}</p>}
        {isSpaceShort && (
          <p>{t('quota_used', { used: bytes(rules.used_bytes), quota: bytes(rules.quota_bytes) })}</p>
        )}
      </div>
    </div>
  );
}

const HOUR = 3600;

/** Why the form was not sent, or not accepted; problems that were solved since count no more. */
export function SendingAlert({ sending }: { sending: Sending }) {
  const t = useTranslations('publish');
  const format = useFormatter();
  const { problems } = useFormFields();
  if (sending.state === 'incomplete')
    return problems.length > 0 && <FormAlert title={t('unsent_problems', { count: problems.length })} />;
  if (sending.state === 'unchanged') return <FormAlert title={t('unsent_unchanged')} />;
  if (sending.state !== 'refused') return null;
  const { text, told, retryAfter = 0 } = sending.refusal;
  const time = format.dateTime(sending.at + retryAfter * 1000, {
    timeStyle: 'short',
    ...(retryAfter > HOUR ? { dateStyle: 'medium' } : {}),
  });
  return <FormAlert title={told ?? t(text, { time })} />;
}

/** An error of a whole form. */
export function FormAlert({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.alert}>
      <AlertIcon size={18} />
      <div className={styles.texts}>
        <p className={styles.title} role="alert">
          {title}
        </p>
        {children}
      </div>
    </div>
  );
}
