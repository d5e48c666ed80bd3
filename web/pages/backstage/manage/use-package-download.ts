import { download } from '../../../api/download.ts';
import { useDownload } from '../frame/use-download.ts';

/** Saves a plugin's package, the one others get or that of a version, as a file named with its key (section 7). */
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
