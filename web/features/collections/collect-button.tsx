import FolderPlusIcon from 'lucide-react/icons/folder-plus';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { useViewer } from '../plugins/index.ts';

const collectDialog = lazyWithRetry(async () => (await import('./collect-dialog.tsx')).CollectDialog);

type CollectButtonProps = ButtonLook & { plugin: { plugin_key: string; name: string } };

/** Opens the dialog that adds a plugin to the viewer's collections; visitors sign in first. */
export function CollectButton({ plugin, ...look }: CollectButtonProps) {
  const t = useTranslations('collections');
  const { signedIn, startSignIn } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const { plugin_key, name } = plugin;
  const open = (): void => {
    if (signedIn) setIsOpen(true);
    else startSignIn(undefined, t('ask', { name }));
  };
  return (
    <>
      <Tooltip text={t('collect')}>
        <IconButton {...look} label={t('collect_named', { name })} icon={<FolderPlusIcon />} onClick={open} />
      </Tooltip>
      {isOpen && (
        <Lazy part={collectDialog} onFailed={() => setIsOpen(false)}>
          {(CollectDialog) => (
            <CollectDialog pluginKey={plugin_key} name={name} onClose={() => setIsOpen(false)} />
          )}
        </Lazy>
      )}
    </>
  );
}
