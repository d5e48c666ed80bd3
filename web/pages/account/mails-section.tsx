import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { MAILED_NOTICE_KINDS } from '../../../shared/constants.ts';
import type { NoticeKind } from '../../../shared/routes/notice.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import styles from './account-section.module.css';
import { AccountSection } from './account-section.tsx';

const PREFERENCES = queryOptionsOf('readMailPreferences', {});

/** Kinds of notices that are also mailed; hidden where no mail is configured. */
export function MailsSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(PREFERENCES);
  const change = useChangeMails();
  if (data && !data.is_mailing) return null;
  return (
    <AccountSection title={t('mails_title')} lead={t('mails_lead')}>
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && (
        <div className={styles.list}>
          {MAILED_NOTICE_KINDS.map((kind) => (
            <Switch
              key={kind}
              label={t(`mails_${kind}`)}
              checked={!data.off_list.includes(kind)}
              onChange={(is_on) => change.mutate({ kind, is_on })}
            />
          ))}
        </div>
      )}
    </AccountSection>
  );
}

type Choice = { kind: NoticeKind; is_on: boolean };

/** Shows each choice at once and takes it back if it fails; one call at a time, and the last one refetches them all. */
function useChangeMails() {
  const t = useTranslations('account');
  const client = useQueryClient();
  const show = ({ kind, is_on }: Choice): void => {
    client.setQueryData(PREFERENCES.queryKey, (data) => {
      if (!data) return data;
      const others = data.off_list.filter((one) => one !== kind);
      return { ...data, off_list: is_on ? others : [...others, kind] };
    });
  };
  return useOperation('changeMailPreferences', (choice: Choice) => choice, {
    failsIn: 'toast',
    failed: t('mails_failed'),
    mutationKey: ['changeMailPreferences'],
    scope: { id: 'mails' },
    onMutate: async (choice) => {
      await client.cancelQueries({ queryKey: PREFERENCES.queryKey });
      show(choice);
    },
    onError: (_error, { kind, is_on }) => show({ kind, is_on: !is_on }),
  });
}
