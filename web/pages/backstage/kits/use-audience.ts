import { useTranslations } from 'use-intl';
import type { KitSummary } from '../../../../shared/routes/kit.ts';

/** Who gets a kit, in words. */
export function useAudience({ e_id, department }: Pick<KitSummary, 'e_id' | 'department'>): string {
  const t = useTranslations('kits');
  if (e_id === 0) return t('for_all');
  const number = String(e_id);
  return department === '' ? t('for_enterprise', { number }) : t('for_department', { number, department });
}
