import { useTranslations } from 'use-intl';
import type { Operation } from '../../../../shared/contract.ts';
import { download } from '../../../api/download.ts';
import { useOperationBy } from '../../../api/use-operation.ts';
import { saveFile } from '../../../ui/save-file.ts';

type Download = {
  /** Name of the saved file. */
  name: string;
  fetchIt: () => Promise<Blob>;
};

/** Downloads a file that is only for administrators. */
export function useDownload(operation: Operation) {
  const t = useTranslations('backstage');
  return useOperationBy(operation, async ({ name, fetchIt }: Download) => saveFile(await fetchIt(), name), {
    failed: t('download_failed'),
    failsIn: 'toast',
  });
}

/** Saves a plugin's package, published or of a version, as a file named with its key (R 4.11). */
export function usePackageDownload() {
  const file = useDownload('downloadPlugin');
  return {
    busy: file.isPending,
    save: (key: string, version?: string): void =>
      file.mutate({
        name: `${key}.json`,
        fetchIt: () => download('downloadPlugin', { key, ...(version !== undefined && { version }) }),
      }),
  };
}
