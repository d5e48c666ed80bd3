import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { download } from '../../../api/download.ts';
import { useFailureText } from '../../../api/error-text.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

type Download = {
  /** Name of the saved file. */
  name: string;
  fetchIt: () => Promise<Blob>;
};

/** Downloads a file that is only for administrators. */
export function useDownload() {
  const t = useTranslations('backstage');
  const failureText = useFailureText();
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ name, fetchIt }: Download) => saveFile(await fetchIt(), name),
    onError: (error) => toast({ kind: 'failure', text: failureText(t('download_failed'), error) }),
  });
}

/** Saves a plugin's package, published or of a version, as a file named with its key (R 4.11). */
export function usePackageDownload() {
  const file = useDownload();
  return {
    busy: file.isPending,
    save: (key: string, version?: string): void =>
      file.mutate({
        name: `${key}.json`,
        fetchIt: () => download('downloadPlugin', { key, ...(version !== undefined && { version }) }),
      }),
  };
}
