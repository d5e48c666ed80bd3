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
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { BannerRow } from './banner-row.tsx';
import styles from './banners-screen.module.css';
import { useBannerTitle } from './use-banner-title.ts';
import { useOrderBanners } from './use-order-banners.ts';

type Props = {
  banners: readonly ManagedBanner[];
  onEdit: (banner: ManagedBanner) => void;
  onDelete: (banner: ManagedBanner) => void;
};

/** Banners in their order, to be moved by pointer or by keyboard: space takes one up, arrows move it, space lets go. */
export function BannerOrder({ banners, onEdit, onDelete }: Props) {
  const t = useTranslations('bannerAdmin');
  const titleOf = useBannerTitle();
  const order = useOrderBanners();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (id: string | number): number => banners.findIndex((banner) => banner.id === id);
  const nameOf = (id: string | number): string => {
    const banner = banners[place(id)];
    return banner ? titleOf(banner) : '';
  };
  const end = ({ active, over }: DragEndEvent): void => {
    if (!over || active.id === over.id) return;
    order.mutate(arrayMove([...banners], place(active.id), place(over.id)));
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('taken_up', { name: nameOf(active.id) }),
    onDragOver: ({ active, over }) =>
      over
        ? t('moved', { name: nameOf(active.id), place: place(over.id) + 1, total: banners.length })
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
      <SortableContext items={banners.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ol className={styles.list} aria-label={t('title')}>
          {banners.map((banner) => (
            <BannerRow
              key={banner.id}
              banner={banner}
              onEdit={() => onEdit(banner)}
              onDelete={() => onDelete(banner)}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}
