import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { GripIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlaceButton } from './place-button.tsx';
import styles from './sortable-row.module.css';

type Props = {
  id: number;
  name: string;
  moveLabel: string;
  /** Lays the row out: its columns, gaps and padding. */
  className: string | undefined;
  orderClassName?: string | undefined;
  children: ReactNode;
};

/** A framed row of a SortableList, with the handle by which it is moved and the number of its place. */
export function SortableRow({ id, name, moveLabel, className, orderClassName, children }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id });
  return (
    <li
      ref={setNodeRef}
      className={classNames(styles.row, className, isDragging && styles.dragging)}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className={classNames(styles.order, orderClassName)}>
        <button
          type="button"
          ref={setActivatorNodeRef}
          className={styles.handle}
          {...attributes}
          {...listeners}
          aria-label={moveLabel}
        >
          <GripIcon size={18} />
        </button>
        <PlaceButton id={id} name={name} />
      </div>
      {children}
    </li>
  );
}
