import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useForm } from '../publish-form-context.ts';
import { FormAlert } from '../sending/form-alert.tsx';
import type { Sending } from '../sending/use-sending.ts';
import styles from './conflict-dialog.module.css';

type ConflictProps = {
  sending: Sending;
  /** Reads the plugin anew. */
  readNewer: () => Promise<EditablePlugin | undefined>;
  /** Begins anew with the plugin as it is now; what was changed here stays as a draft. */
  onLoadNewer: () => void;
  onClose: () => void;
};

/** Somebody was faster: take what is there now, or put one's own changes onto it. */
export function ConflictDialog({ sending, readNewer, onLoadNewer, onClose }: ConflictProps) {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const { rebase } = useForm();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const withNewer = async (go: (newer: EditablePlugin) => void): Promise<void> => {
    setBusy(true);
    const newer = await readNewer();
    setBusy(false);
    setFailed(newer === undefined);
    if (newer) go(newer);
  };
  const keepMine = (newer: EditablePlugin): void => {
    rebase(newer);
    onClose();
  };
  return (
    <Dialog
      open={sending.state === 'conflict'}
      title={t('conflict')}
      closeLabel={form('close')}
      onClose={onClose}
    >
      <div className={styles.texts}>
        <p>{t('conflict_text')}</p>
        <p>{t('conflict_choice')}</p>
        {failed && <FormAlert title={t('refused_network')} />}
      </div>
      <div className={styles.actions}>
        <Button variant="outline" disabled={busy} onClick={() => void withNewer(onLoadNewer)}>
          {t('conflict_load')}
        </Button>
        <Button variant="primary" busy={busy} onClick={() => void withNewer(keepMine)}>
          {t('conflict_keep')}
        </Button>
      </div>
    </Dialog>
  );
}
