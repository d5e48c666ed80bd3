import { useTranslations } from 'use-intl';
import { useSite } from '../../../api/site-context.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { copyText } from '../../../ui/copy/copy-text.ts';
import { LinkIcon } from '../../../ui/icon/fact-icons.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx';
import { pluginPath } from '../plugin-path.ts';

/** Copies the address that others open to see this plugin. */
export function CopyLinkButton({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('plugin');
  const toast = useTranslations('toast');
  const showToast = useToast();
  const { public_url } = useSite();
  const copy = async (): Promise<void> => {
    try {
      await copyText(new URL(pluginPath(pluginKey), public_url).href);
      showToast({ kind: 'success', text: toast('link_copied') });
    } catch {
      showToast({ kind: 'failure', text: toast('copy_failed') });
    }
  };
  return (
    <Tooltip text={t('copy_link')}>
      <IconButton
        variant="outline"
        size="l"
        label={t('copy_link')}
        icon={<LinkIcon size={18} />}
        onClick={() => void copy()}
      />
    </Tooltip>
  );
}
