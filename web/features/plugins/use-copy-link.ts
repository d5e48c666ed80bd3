import { useTranslations } from 'use-intl';
import { useSite } from '../../api/site-context.ts';
import { copyText } from '../../ui/copy-button.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

/** Copies the public address of a path of this site, and says whether that worked. */
export function useCopyLink(path: string): () => Promise<void> {
  const t = useTranslations('toast');
  const showToast = useToast();
  const { public_url } = useSite();
  return async () => {
    try {
      await copyText(new URL(path, public_url).href);
      showToast({ kind: 'success', text: t('link_copied') });
    } catch {
      showToast({ kind: 'failure', text: t('copy_failed') });
    }
  };
}
