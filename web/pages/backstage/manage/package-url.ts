/** Address of a plugin's package: the one others get, or that of a version. */
export function packageUrl(pluginKey: string, version?: string): string {
  const query = version === undefined ? '' : `?${new URLSearchParams({ version })}`;
  return `/api/cmt/manager/plugin/${encodeURIComponent(pluginKey)}/download${query}`;
}
