import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FOLLOW_NOTICE_KINDS } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import styles from './my-plugins.module.css';

const PREFERENCES = queryOptionsOf('readNoticePreferences', {});

/** What the viewer is told of what they follow. */
export function FollowNotices() {
  const t = useTranslations('follow');
  const { data, error, isFetching, refetch } = useQuery(PREFERENCES);
  const change = useChangeNotices();
  if (!data) return error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  return (
    <fieldset className={styles.notices}>
      <legend className={styles.legend}>{t('notices')}</legend>
      {FOLLOW_NOTICE_KINDS.map((kind) => (
        <Switch
          key={kind}
          label={t(`notices_${kind}`)}
          checked={!data.off_list.includes(kind)}
          onChange={(is_on) => change.mutate({ kind, is_on })}
        />
      ))}
    </fieldset>
  );
}

type Choice = { kind: (typeof FOLLOW_NOTICE_KINDS)[number]; is_on: boolean };

/** Shows each choice at once and takes it back if it fails; one call at a time, and the last one refetches them all. */
function useChangeNotices() {
  const t = useTranslations('follow');
  const client = useQueryClient();
  const show = ({ kind, is_on }: Choice): void => {
    client.setQueryData(PREFERENCES.queryKey, (data) => {
      if (!data) return data;
      const others = data.off_list.filter((one) => one !== kind);
      return { off_list: is_on ? others : [...others, kind] };
    });
  };
  return useOperation('changeNoticePreferences', (choice: Choice) => choice, {
    failsIn: 'toast',
    failed: t('notices_failed'),
    mutationKey: ['changeNoticePreferences'],
    scope: { id: 'notice preferences' },
    onMutate: async (choice) => {
      await client.cancelQueries({ queryKey: PREFERENCES.queryKey });
      show(choice);
    },
    onError: (_error, { kind, is_on }) => show({ kind, is_on: !is_on }),
  });
}
