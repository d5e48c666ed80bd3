import DownloadIcon from 'lucide-react/icons/download';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Collection } from '../../../shared/routes/collection.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { useDialogForMembers } from '../plugins/index.ts';
import { ReachSummary } from './reach-summary.tsx';

/** Installs what the viewer has not installed yet, after one summary of what all that may reach. */
export function InstallAll({ collection }: { collection: Collection }) {
  const t = useTranslations('collections');
  const toast = useTranslations('toast');
  const [isOpen, setIsOpen] = useState(false);
  const missing = collection.plugin_list.filter(
    ({ plugin, is_available }) => is_available && !plugin.is_installed,
  );
  const install = useOperation(
    'installCollection',
    () => ({
      collection_key: collection.collection_key,
      plugins: missing.map(({ plugin: { plugin_key, version } }) => ({ plugin_key, version })),
    }),
    {
      done: t('installed', { count: missing.length }),
      failed: toast('install_failed'),
      errorMessages: { CONFLICT: t('install_changed') },
      onSuccess: () => setIsOpen(false),
    },
  );
  const open = useDialogForMembers(`install ${collection.collection_key}`, () => {
    install.reset();
    setIsOpen(true);
  });
  if (isOpen && missing.length === 0) setIsOpen(false);
  if (missing.length === 0) return null;
  return (
    <>
      <Button variant="primary" onClick={() => open(t('ask_install', { title: collection.title }))}>
        <DownloadIcon />
        {t('install_all', { count: missing.length })}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('install_title', { count: missing.length })}
        confirmLabel={t('install_all', { count: missing.length })}
        busy={install.isPending}
        error={install.failure}
        onConfirm={() => install.mutate()}
        onClose={() => setIsOpen(false)}
      >
        <p>{missing.map(({ plugin }) => plugin.name).join(', ')}</p>
        <ReachSummary plugins={missing} />
      </ConfirmDialog>
    </>
  );
}
