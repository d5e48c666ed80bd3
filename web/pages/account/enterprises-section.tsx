import { useQuery, useQueryClient } from '@tanstack/react-query';
import CheckIcon from 'lucide-react/icons/check';
import { useTranslations } from 'use-intl';
import type { OwnEnterprise } from '../../../shared/routes/account.ts';
import { invalidate } from '../../api/invalidate.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { BESIDE_SESSION, putNewerData, SESSION_KEY } from '../../api/query-client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { useLastSession } from '../../features/session/use-session.ts';
import { Button } from '../../ui/button/button.tsx';
import { AccountSection } from './account-section.tsx';
import styles from './enterprises-section.module.css';

/** The viewer's enterprises and the current one; hidden without a choice. */
export function EnterprisesSection() {
  const t = useTranslations('account');
  const { user } = useLastSession();
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

/** Switches to another enterprise and refetches what is on screen. */
function useEnterEnterprise() {
  const t = useTranslations('account');
  const nameOf = useEnterpriseName();
  const client = useQueryClient();
  return useOperation('enterEnterprise', ({ e_id }: OwnEnterprise) => ({ e_id }), {
    done: (_session, enterprise) => t('enterprise_entered', { name: nameOf(enterprise) }),
    failsIn: 'toast',
    onSuccess: async (session) => {
      await putNewerData(client, SESSION_KEY, session);
      await invalidate(client, BESIDE_SESSION);
    },
  });
}

type Props = {
  enterprise: OwnEnterprise;
  isCurrent: boolean;
  busy: boolean;
  /** Absent while a switch is pending. */
  onEnter: (() => void) | undefined;
};

/** One enterprise: the viewer's role and a button to switch to it. */
function EnterpriseRow({ enterprise, isCurrent, busy, onEnter }: Props) {
  const t = useTranslations('account');
  const { department, is_owner, is_administrator } = enterprise;
  const name = useEnterpriseName()(enterprise);
  const facts = [
    department,
    is_owner && t('enterprise_owner'),
    is_administrator && t('enterprise_administrator'),
  ].filter(Boolean);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        {facts.length > 0 && <p className={styles.facts}>{facts.join(' · ')}</p>}
      </div>
      {isCurrent ? (
        <p className={styles.current}>
          <CheckIcon size={14} />
          {t('enterprise_current')}
        </p>
      ) : (
        <Button
          variant="outline"
          busy={busy}
          disabled={!busy && onEnter === undefined}
          onClick={onEnter}
          aria-label={t('enterprise_enter_name', { name })}
        >
          {t('enterprise_enter')}
        </Button>
      )}
    </li>
  );
}

/** An enterprise's name, or its number without one. */
function useEnterpriseName(): (enterprise: OwnEnterprise) => string {
  const t = useTranslations('account');
  return ({ e_id, name }) => name || t('enterprise_unnamed', { id: String(e_id) });
}
