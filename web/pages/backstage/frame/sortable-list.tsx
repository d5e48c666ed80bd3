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
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

type Id = string | number;

type Props<I extends Id> = {
  label: string;
  className: string | undefined;
  ids: readonly I[];
  nameOf: (id: Id) => string;
  onOrder: (ids: I[]) => void;
  /** One `li` of each id, sortable by it. */
  children: ReactNode;
};

/** Rows to be moved by pointer or by keyboard: space takes one up, arrows move it, space lets go. */
export function SortableList<I extends Id>({ label, className, ids, nameOf, onOrder, children }: Props<I>) {
  const t = useTranslations('backstage');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const all: readonly Id[] = ids;
  const place = (id: Id): number => all.indexOf(id);
  const end = ({ active, over }: DragEndEvent): void => {
    if (over && active.id !== over.id) onOrder(arrayMove([...ids], place(active.id), place(over.id)));
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('taken_up', { name: nameOf(active.id) }),
    onDragOver: ({ active, over }) =>
      over
        ? t('moved', { name: nameOf(active.id), place: place(over.id) + 1, total: ids.length })
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
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        <ol className={className} aria-label={label}>
          {children}
        </ol>
      </SortableContext>
    </DndContext>
  );
}
