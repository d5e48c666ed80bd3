import FolderPlusIcon from 'lucide-react/icons/folder-plus';
import { useTranslations } from 'use-intl';
import { useIsInTool } from '../../api/in-tool.ts';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { useViewer } from './viewer-context.ts';

type CollectButtonProps = ButtonLook & {
  plugin: { plugin_key: string; name: string };
  className?: string | undefined;
};

/** Adds a plugin to the viewer's collections. */
export function CollectButton({ plugin, ...look }: CollectButtonProps) {
  const t = useTranslations('plugin');
  const { collect } = useViewer();
  const { plugin_key, name } = plugin;
  // Sessions inside a design tool have no collections.
  if (useIsInTool()) return null;
  return (
    <Tooltip text={t('collect')}>
      <IconButton
        {...look}
        label={t('collect_named', { name })}
        icon={<FolderPlusIcon />}
        onClick={() => collect({ plugin_key, name }, t('collect_ask', { name }))}
      />
    </Tooltip>
  );
}
