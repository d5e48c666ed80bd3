import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failureText } from '../../../api/error-text.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

type Wanted = {
  /** What the saved file is called. */
  name: string;
  fetchIt: () => Promise<Blob>;
};

/** Fetches a file that is for administrators alone, and saves it. */
export function useDownload() {
  const t = useTranslations('backstage');
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ name, fetchIt }: Wanted) => saveFile(await fetchIt(), name),
    onError: (error) => toast({ kind: 'failure', text: failureText(t('download_failed'), error) }),
  });
}
