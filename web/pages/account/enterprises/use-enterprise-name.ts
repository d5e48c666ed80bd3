import { useTranslations } from 'use-intl';
import type { OwnEnterprise } from '../../../../shared/routes/own-enterprise.ts';

/** What an enterprise is called; by its number where nobody has said. */
export function useEnterpriseName(): (enterprise: OwnEnterprise) => string {
  const t = useTranslations('account');
  return ({ e_id, name }) => name || t('enterprise_unnamed', { id: String(e_id) });
}
