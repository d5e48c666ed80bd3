import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { UpdateAge } from '../../../shared/entities/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Select } from '../../ui/select/select.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './installed.module.css';

const QUERY = queryOptionsOf('readUpdateAge', {});
/** Days that people choose from, besides what they have chosen in a tool. */
const CHOICES = [0, 1, 3, 7, 14, 30, 60, 90];
/** In place of a number: what the site says. */
const USUAL = 'usual';

/** After how many days new versions replace what the viewer has installed. */
export function UpdateAgeChoice() {
  const t = useTranslations('myPlugins');
  const common = useTranslations('common');
  const { data, error, isFetching, refetch } = useQuery(QUERY);
  const change = useOperation('changeUpdateAge', (chosen: { days?: number }) => chosen, {
    done: common('saved'),
    failed: t('update_age_failed'),
    failsIn: 'toast',
    scope: { id: 'update age' },
  });
  if (!data)
    return error ? (
      <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <Skeleton shape="block" className={styles.agePlace} />
    );
  const label = (days: number) => (days === 0 ? t('update_age_none') : t('update_age_days', { days }));
  return (
    <Select
      className={styles.age}
      label={t('update_age')}
      hint={t('update_age_hint')}
      disabled={change.isPending}
      value={data.own === null ? USUAL : `${data.days}`}
      onChange={(value) => change.mutate(value === USUAL ? {} : { days: Number(value) })}
      options={[
        { value: USUAL, label: t('update_age_usual', { age: label(data.site) }) },
        ...choicesOf(data).map((days) => ({ value: `${days}`, label: label(days) })),
      ]}
    />
  );
}

function choicesOf({ days: chosen, own, shortest }: UpdateAge): number[] {
  const choices = new Set(own === null ? CHOICES : [...CHOICES, chosen]);
  return [...choices].filter((days) => days >= shortest).sort((a, b) => a - b);
}
