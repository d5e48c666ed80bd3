import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { NOTICE_KINDS } from '../../../shared/constants.ts';
import type { NoticeKind } from '../../../shared/routes/notice.ts';
import { call } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { AccountSection } from './account-section.tsx';
import styles from './mails-section.module.css';

const PREFERENCES = queryOptionsOf('readMailPreferences', {});

/** Kinds of notices that are also mailed; hidden where no mail is configured. */
export function MailsSection() {
  const t = useTranslations('account');
  const toast = useToast();
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(PREFERENCES);
  const change = useMutation({
    mutationFn: (setting: { kind: NoticeKind; is_on: boolean }) => call('changeMailPreferences', setting),
    onSuccess: (answer) => {
      if ('off_list' in answer) client.setQueryData(PREFERENCES.queryKey, answer);
    },
    onError: () => toast({ kind: 'failure', text: t('mails_failed') }),
  });
  if (data && !data.is_mailing) return null;
  return (
    <AccountSection title={t('mails_title')} lead={t('mails_lead')}>
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && (
        <div className={styles.list}>
          {NOTICE_KINDS.map((kind) => (
            <Switch
              key={kind}
              label={t(`mails_${kind}`)}
              checked={
                change.isPending && change.variables.kind === kind
                  ? change.variables.is_on
                  : !data.off_list.includes(kind)
              }
              onChange={(is_on) => change.mutate({ kind, is_on })}
            />
          ))}
        </div>
      )}
    </AccountSection>
  );
}
