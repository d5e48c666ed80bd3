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
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import GripVerticalIcon from 'lucide-react/icons/grip-vertical';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { NumberInput } from '../../ui/number-input/number-input.tsx';
import { useAutoFocus } from '../../ui/use-auto-focus.ts';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './item-row.module.css';

type Props<I extends RowId> = {
  label: string;
  ids: readonly I[];
  nameOf: (id: RowId) => string;
  onOrder: (ids: I[]) => void;
  /** One `li` for each id, sortable by it. */
  children: ReactNode;
};

/**
 * Rows that can be moved by pointer, by keyboard (space picks up and drops, arrows move), or by entering a position.
 */
export function SortableList<I extends RowId>({ label, ids, nameOf, onOrder, children }: Props<I>) {
  const t = useTranslations('sorting');
  const [movingId, setMovingId] = useState<RowId>();
  const [announcement, setAnnouncement] = useState('');
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
    setMovingId(undefined);
    setAnnouncement(t('let_go', { name: nameOf(id), place: to }));
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
        <OrderContext value={{ positionOf: (id) => place(id) + 1, requestPosition: setMovingId }}>
          <ol className={styles.list} aria-label={label}>
            {children}
          </ol>
        </OrderContext>
      </SortableContext>
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
      {movingId !== undefined && (
        <PositionDialog
          name={nameOf(movingId)}
          place={place(movingId) + 1}
          total={ids.length}
          onMove={(to) => move(movingId, to)}
          onClose={() => setMovingId(undefined)}
        />
      )}
    </DndContext>
  );
}

type PositionProps = {
  name: string;
  /** Counted from 1. */
  place: number;
  total: number;
  onMove: (place: number) => void;
  onClose: () => void;
};

function PositionDialog({ name, place, total, onMove, onClose }: PositionProps) {
  const t = useTranslations('sorting');
  const [typed, setTyped] = useState(place);
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
      onConfirm={() => move(typed)}
      onClose={onClose}
    >
      <PositionField
        value={typed}
        total={total}
        error={isSame && typed === place ? t('place_same') : undefined}
        onChange={setTyped}
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

function PositionField({ total, ...field }: FieldProps) {
  const t = useTranslations('sorting');
  const box = useRef<HTMLDivElement>(null);
  useAutoFocus(box);
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

type SortableRowProps = {
  id: RowId;
  name: string;
  children: ReactNode;
};

/** A framed row of a SortableList, with its drag handle and position. */
export function SortableRow({ id, name, children }: SortableRowProps) {
  const t = useTranslations('common');
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id });
  return (
    <li
      ref={setNodeRef}
      className={classNames(styles.row, isDragging && styles.dragging)}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className={styles.order}>
        <button
          type="button"
          ref={setActivatorNodeRef}
          className={styles.handle}
          {...attributes}
          {...listeners}
          aria-label={t('move_named', { name })}
        >
          <GripVerticalIcon size={18} />
        </button>
        <PositionButton id={id} name={name} />
      </div>
      {children}
    </li>
  );
}

/** The position of a row, and a button to move it without dragging (WCAG 2.2, 2.5.7). */
function PositionButton({ id, name }: { id: RowId; name: string }) {
  const t = useTranslations('sorting');
  const { positionOf, requestPosition } = useOrder();
  const place = positionOf(id);
  return (
    <Button
      variant="outline"
      size="s"
      square
      aria-haspopup="dialog"
      aria-label={t('place_of', { place, name })}
      onClick={() => requestPosition(id)}
    >
      {place}
    </Button>
  );
}

type RowId = string | number;

/** Context of a sortable list for its rows. */
type Order = {
  /** Counted from 1. */
  positionOf: (id: RowId) => number;
  requestPosition: (id: RowId) => void;
};

const OrderContext = createContext<Order>({ positionOf: () => 0, requestPosition: () => undefined });

function useOrder(): Order {
  return useContext(OrderContext);
}
