import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import styles from './manage.module.css';
import { RecommendedRow } from './recommended-row.tsx';
import { useOrderRecommended } from './use-order-recommended.ts';

/** The recommended plugins, to be moved by pointer or by keyboard: space takes one up, arrows move it, space lets go. */
export function RecommendedOrder({ plugins }: { plugins: readonly ManagedPlugin[] }) {
  const t = useTranslations('manage');
  const order = useOrderRecommended();
  const keys = plugins.map(({ plugin }) => plugin.plugin_key);
  const shown = order.isPending ? order.variables : keys;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (id: string | number): number => shown.indexOf(String(id));
  const byKey = new Map(plugins.map((managed) => [managed.plugin.plugin_key, managed]));
  const nameOf = (id: string | number): string => byKey.get(String(id))?.plugin.name ?? '';
  const end = ({ active, over }: DragEndEvent): void => {
    if (!over || active.id === over.id) return;
    order.mutate(arrayMove([...shown], place(active.id), place(over.id)));
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('taken_up', { name: nameOf(active.id) }),
    onDragOver: ({ active, over }) =>
      over
        ? t('moved', { name: nameOf(active.id), place: place(over.id) + 1, total: shown.length })
        : undefined,
    onDragEnd: ({ active, over }) =>
      t('let_go', { name: nameOf(active.id), place: place(over?.id ?? active.id) + 1 }),
    onDragCancel: ({ active }) => t('put_back', { name: nameOf(active.id) }),
  };
  return (
    <DndContext
      sensors={sensors}
      onDragEnd={end}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('how_to_move') } }}
    >
      <SortableContext items={[...shown]} strategy={verticalListSortingStrategy}>
        <ol className={styles.order} aria-label={t('recommended')}>
          {shown.map((key, index) => {
            const managed = byKey.get(key);
            return managed && <RecommendedRow key={key} managed={managed} place={index + 1} />;
          })}
        </ol>
      </SortableContext>
    </DndContext>
  );
}
