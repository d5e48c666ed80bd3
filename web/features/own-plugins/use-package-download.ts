import { useMutation } from '@tanstack/react-query';
import { download } from '../../api/download.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves the package of an installed plugin as a file named with its key (specification section 7). */
export function usePackageDownload(pluginKey: string) {
  return useMutation({
    mutationFn: () => download('downloadInstalled', { plugin_key: pluginKey }),
    onSuccess: (content) => saveFile(content, `${pluginKey}.json`),
  });
}
