import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { useSession } from '../../../features/session/use-session.ts';
import { AccountSection } from '../account-section.tsx';
import { EnterpriseRow } from './enterprise-row.tsx';
import { useEnterEnterprise } from './use-enter-enterprise.ts';

/** The enterprises that the viewer belongs to, and which one they work in; nothing to choose is nothing to see. */
export function EnterprisesSection() {
  const t = useTranslations('account');
  const { user } = useSession();
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listOwnEnterprises', {}));
  const { mutate, variables, isPending } = useEnterEnterprise();
  const current = user?.e_id ?? 0;
  const enterprises = data?.enterprises ?? [];
  const isUnknown = error !== null && data === undefined && current !== 0;
  if (enterprises.length < 2 && !isUnknown) return null;
  return (
    <AccountSection title={t('enterprise_title')} lead={t('enterprise_lead')}>
      {isUnknown && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      <ul>
        {enterprises.map((enterprise) => (
          <EnterpriseRow
            key={enterprise.e_id}
            enterprise={enterprise}
            isCurrent={enterprise.e_id === current}
            busy={isPending && variables.e_id === enterprise.e_id}
            onEnter={isPending ? undefined : () => mutate(enterprise)}
          />
        ))}
      </ul>
    </AccountSection>
  );
}
