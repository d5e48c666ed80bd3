import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { SortableList } from '../../../features/sorting/sortable-list.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import type { ItemTexts } from './edit-dialogs.tsx';
import { type Sorted, useSaveOrder } from './use-save-order.ts';

/** The dialog that is open over a list: an item is edited (a new one: `item` is undefined), or its deletion confirmed. */
type Task<T> = { edited?: { item: T | undefined }; deleted?: T };

/** What an administrator is doing with an item of a list. */
export function useItemTask<T>() {
  const [task, setTask] = useState<Task<T>>({});
  return {
    ...task,
    add: () => setTask({ edited: { item: undefined } }),
    edit: (item: T) => setTask({ edited: { item } }),
    remove: (item: T) => setTask({ deleted: item }),
    close: () => setTask({}),
  };
}

type OrderedProps<T> = {
  label: string;
  order: Sorted;
  items: readonly T[];
  nameOf: (item: T) => string;
  /** An ItemRow for each, in order. */
  children: ReactNode;
};

/** Sortable rows whose order is saved after each move. */
export function OrderedItems<T extends { id: number }>({
  label,
  order,
  items,
  nameOf,
  children,
}: OrderedProps<T>) {
  const save = useSaveOrder(order);
  const nameOfId = (id: string | number): string => {
    const item = items.find((one) => one.id === id);
    return item ? nameOf(item) : '';
  };
  return (
    <SortableList
      label={label}
      ids={items.map(({ id }) => id)}
      nameOf={nameOfId}
      onOrder={(ids) => save.mutate(ids)}
    >
      {children}
    </SortableList>
  );
}

/** Title and lead of a list, and its "Add" button. */
export function ItemsHeader({ texts, onAdd }: { texts: Exclude<ItemTexts, 'helpAdmin'>; onAdd: () => void }) {
  const t = useTranslations();
  return (
    <PageHeader
      title={t(`${texts}.title`)}
      lead={t(`${texts}.lead`)}
      actions={
        <Button variant="primary" onClick={onAdd}>
          <PlusIcon />
          {t(`${texts}.add`)}
        </Button>
      }
    />
  );
}

type ActionsProps = {
  name: string;
  onEdit: () => void;
  /** Absent where the item cannot be deleted. */
  onDelete?: (() => void) | undefined;
  /** Further actions. */
  children?: ReactNode;
};

/** Edits or deletes a named item. */
export function ItemActions({ name, onEdit, onDelete, children }: ActionsProps) {
  return (
    <>
      <ItemButton what="edit" name={name} onClick={onEdit} />
      {onDelete && <ItemButton what="delete" name={name} onClick={onDelete} />}
      {children}
    </>
  );
}

type ButtonProps = { what: 'edit' | 'delete'; name: string; onClick: () => void };

/** Says to a screen reader what of which item it does. */
export function ItemButton({ what, name, onClick }: ButtonProps) {
  const t = useTranslations('common');
  return (
    <Button size="s" onClick={onClick} aria-label={t(`${what}_named`, { name })}>
      {t(what)}
    </Button>
  );
}
