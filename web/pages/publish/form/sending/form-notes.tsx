import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import HistoryIcon from 'lucide-react/icons/history';
import InfoIcon from 'lucide-react/icons/info';
import { type ReactNode, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { EditablePlugin } from '../../../../../shared/entities/review.ts';
import { findingOfDetail, useParsingFailure } from '../../../../features/findings/index.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useFormatBytes } from '../../use-format-bytes.ts';
import type { FormDraft } from '../use-draft.ts';
import { useForm } from '../use-form.ts';
import styles from './form-notes.module.css';
import { nearLimit, nearQuota } from './submit-error.ts';

/** Reports a restored or an older draft, and which files it lacks. */
export function DraftBanner({ dismiss, take, discard }: FormDraft) {
  const t = useTranslations('publish');
  const format = useFormatter();
  const { draft } = useForm().state;
  if (!draft) return null;
  const { isOlder } = draft;
  const { saved_at, file_names } = draft.draft;
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
  const bytes = useFormatBytes();
  const { rules } = useForm();
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

/** Why the form wasn't sent or was rejected; problems solved since are hidden. */
export function SendingAlert() {
  const t = useTranslations('publish');
  const format = useFormatter();
  const parsingFailure = useParsingFailure();
  const { state, problems } = useForm();
  const { sending } = state;
  if (sending.state === 'incomplete')
    return (
      problems.length > 0 && <PublishFormAlert title={t('unsent_problems', { count: problems.length })} />
    );
  if (sending.state === 'unchanged') return <PublishFormAlert title={t('unsent_unchanged')} />;
  if (sending.state !== 'refused') return null;
  const { text, findings, foreignMessage, retryAfter = 0 } = sending.submitError;
  if (text === 'refused_package')
    return <PublishFormAlert title={foreignMessage ?? parsingFailure(findings.map(findingOfDetail))} />;
  const time = format.dateTime(sending.at + retryAfter * 1000, {
    timeStyle: 'short',
    ...(retryAfter > HOUR ? { dateStyle: 'medium' } : {}),
  });
  return <PublishFormAlert title={foreignMessage ?? t(text, { time })} />;
}

export function PublishFormAlert({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.alert}>
      <CircleAlertIcon size={18} />
      <div className={styles.texts}>
        <p className={styles.title} role="alert">
          {title}
        </p>
        {children}
      </div>
    </div>
  );
}

type ConflictProps = {
  open: boolean;
  readNewer: () => Promise<EditablePlugin | undefined>;
  /** Reloads the current plugin; the user's changes stay as a draft. */
  onLoadNewer: () => void;
  /** Applies the user's changes to the current plugin. */
  onKeepMine: (newer: EditablePlugin) => void;
  onClose: () => void;
};

/** Another user has changed the plugin: reload it, or apply one's own changes to it. */
export function ConflictDialog({ open, readNewer, onLoadNewer, onKeepMine, onClose }: ConflictProps) {
  const t = useTranslations('publish');
  const common = useTranslations('common');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const withNewer = async (go: (newer: EditablePlugin) => void): Promise<void> => {
    setBusy(true);
    const newer = await readNewer();
    setBusy(false);
    setFailed(newer === undefined);
    if (newer) go(newer);
  };
  return (
    <Dialog open={open} title={t('conflict')} closeLabel={common('close')} onClose={onClose}>
      <div className={styles.conflict}>
        <p>{t('conflict_text')}</p>
        <p>{t('conflict_choice')}</p>
        {failed && <PublishFormAlert title={t('refused_network')} />}
      </div>
      <div className={styles.conflictActions}>
        <Button variant="outline" disabled={busy} onClick={() => void withNewer(onLoadNewer)}>
          {t('conflict_load')}
        </Button>
        <Button variant="primary" busy={busy} onClick={() => void withNewer(onKeepMine)}>
          {t('conflict_keep')}
        </Button>
      </div>
    </Dialog>
  );
}
