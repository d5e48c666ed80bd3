import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { SortableList } from '../frame/sortable-list.tsx';
import styles from './manage.module.css';
import { RecommendedRow } from './recommended-row.tsx';
import { useOrderRecommended } from './use-order-recommended.ts';

/** The recommended plugins in their order, to be moved. */
export function RecommendedOrder({ plugins }: { plugins: readonly ManagedPlugin[] }) {
  const t = useTranslations('manage');
  const order = useOrderRecommended();
  const keys = plugins.map(({ plugin }) => plugin.plugin_key);
  const shown = order.isPending ? order.variables : keys;
  const byKey = new Map(plugins.map((managed) => [managed.plugin.plugin_key, managed]));
  return (
    <SortableList
      label={t('recommended')}
      className={styles.order}
      ids={shown}
      nameOf={(id) => byKey.get(String(id))?.plugin.name ?? ''}
      onOrder={(ids) => order.mutate(ids)}
    >
      {shown.map((key) => {
        const managed = byKey.get(key);
        return managed && <RecommendedRow key={key} managed={managed} />;
      })}
    </SortableList>
  );
}
