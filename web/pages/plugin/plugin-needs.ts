import type { PrefetchQuery } from '../../../shared/boot.ts';
import type { PageTarget } from '../../api/page-target.ts';

/** What the first view of a plugin's page shows. */
export function pluginNeeds({ params: { plugin_key = '' } }: PageTarget): PrefetchQuery[] {
  return [
    { operation: 'readPlugin', payload: { plugin_key } },
    { operation: 'listVersions', payload: { plugin_key } },
    { operation: 'readContact', payload: {} },
  ];
}
