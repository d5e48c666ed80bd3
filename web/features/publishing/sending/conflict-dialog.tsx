import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import styles from './conflict-dialog.module.css';
import { FormAlert } from './form-notes.tsx';

type ConflictProps = {
  open: boolean;
  /** Reads the plugin again. */
  readNewer: () => Promise<EditablePlugin | undefined>;
  /** Begins again with the plugin as it is now; what was changed here stays as a draft. */
  onLoadNewer: () => void;
  /** Puts what was changed here onto the plugin as it is now. */
  onKeepMine: (newer: EditablePlugin) => void;
  onClose: () => void;
};

/** Somebody was faster: take what is there now, or put one's own changes onto it. */
export function ConflictDialog({ open, readNewer, onLoadNewer, onKeepMine, onClose }: ConflictProps) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
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
    <Dialog open={open} title={t('conflict')} closeLabel={form('close')} onClose={onClose}>
      <div className={styles.texts}>
        <p>{t('conflict_text')}</p>
        <p>{t('conflict_choice')}</p>
        {failed && <FormAlert title={t('refused_network')} />}
      </div>
      <div className={styles.actions}>
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
