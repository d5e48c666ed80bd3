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
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useFocusSoon } from '../../../ui/focus/use-focus-soon.ts';
import { NumberInput } from '../../../ui/number-input/number-input.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { OrderContext, type RowId } from './order-context.ts';

type Props<I extends RowId> = {
  label: string;
  className: string | undefined;
  ids: readonly I[];
  nameOf: (id: RowId) => string;
  onOrder: (ids: I[]) => void;
  /** One `li` of each id, sortable by it. */
  children: ReactNode;
};

/**
 * Rows to be moved by pointer, by keyboard (space takes one up, arrows move it, space lets go), or to the place whose
 * number is given.
 */
export function SortableList<I extends RowId>({
  label,
  className,
  ids,
  nameOf,
  onOrder,
  children,
}: Props<I>) {
  const t = useTranslations('backstage');
  const [asked, setAsked] = useState<RowId>();
  const [told, setTold] = useState('');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const all: readonly RowId[] = ids;
  const place = (id: RowId): number => all.indexOf(id);
  const end = ({ active, over }: DragEndEvent): void => {
    if (over && active.id !== over.id) onOrder(arrayMove([...ids], place(active.id), place(over.id)));
  };
  const move = (id: RowId, to: number): void => {
    setAsked(undefined);
    setTold(t('let_go', { name: nameOf(id), place: to }));
    onOrder(arrayMove([...ids], place(id), to - 1));
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
        <OrderContext value={{ placeOf: (id) => place(id) + 1, askPlace: setAsked }}>
          <ol className={className} aria-label={label}>
            {children}
          </ol>
        </OrderContext>
      </SortableContext>
      <VisuallyHidden>
        <span role="status">{told}</span>
      </VisuallyHidden>
      {asked !== undefined && (
        <PlaceDialog
          name={nameOf(asked)}
          place={place(asked) + 1}
          total={ids.length}
          onMove={(to) => move(asked, to)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </DndContext>
  );
}

type PlaceProps = {
  name: string;
  /** Counted from 1. */
  place: number;
  total: number;
  onMove: (place: number) => void;
  onClose: () => void;
};

/** Asks which place something of an order should have. */
function PlaceDialog({ name, place, total, onMove, onClose }: PlaceProps) {
  const t = useTranslations('backstage');
  const [wanted, setWanted] = useState(place);
  const [isSame, setIsSame] = useState(false);
  const move = (to: number): void => {
    if (to === place) setIsSame(true);
    else onMove(to);
  };
  return (
    <ConfirmDialog
      open
      title={t('place_title', { name })}
      confirmLabel={t('place_submit')}
      cancelLabel={t('place_cancel')}
      onConfirm={() => move(wanted)}
      onClose={onClose}
    >
      <PlaceField
        value={wanted}
        total={total}
        error={isSame && wanted === place ? t('place_same') : undefined}
        onChange={setWanted}
        onEnter={move}
      />
    </ConfirmDialog>
  );
}

type FieldProps = {
  value: number;
  total: number;
  error: string | undefined;
  onChange: (value: number) => void;
  onEnter: (value: number) => void;
};

function PlaceField({ total, ...field }: FieldProps) {
  const t = useTranslations('backstage');
  const box = useRef<HTMLDivElement>(null);
  useFocusSoon(box);
  return (
    <div ref={box}>
      <NumberInput
        {...field}
        label={t('place')}
        hint={t('place_range', { total })}
        min={1}
        max={total}
        decreaseLabel={t('place_up')}
        increaseLabel={t('place_down')}
      />
    </div>
  );
}
