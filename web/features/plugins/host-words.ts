import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { useSite } from '../../api/site-context.ts';

type Hosts = NonNullable<PluginDetail['hosts']>;

/**
 * Puts design tools and their versions in words, such as "Pixso 4.2 or later". An id without a name means another product,
 * which says nothing here.
 */
export function useHostWords(): (hosts: Hosts) => string[] {
  const t = useTranslations('installation');
  const { editors = [] } = useSite();
  return (hosts) =>
    hosts.flatMap(({ host, range, span }) => {
      const tool = editors.find(({ id }) => id === host)?.name;
      if (tool === undefined) return [];
      if (!span) return t('host_range', { tool, range });
      const { from, before } = span;
      if (from !== null && before !== null) return t('host_between', { tool, from, before });
      if (from !== null) return t('host_from', { tool, from });
      return before === null ? tool : t('host_before', { tool, before });
    });
}
