import type { UseQueryResult } from '@tanstack/react-query';
import PlusIcon from 'lucide-react/icons/plus';
import { type ComponentProps, Fragment, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Sort } from '../../../features/sorting/item-row.tsx';
import { SortableList } from '../../../features/sorting/sortable-list.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog, type ItemTexts } from './edit-dialogs.tsx';
import { type Sorted, useSaveOrder } from './use-save-order.ts';

/** An item: its name, its position (see ItemRow), and its edit and delete buttons. */
export type Item = { name: string; sort: Sort<number>; edit: ReactNode; remove: ReactNode };

type ListProps<T extends { id: number }> = {
  texts: ItemTexts;
  query: Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>;
  items: readonly T[];
  nameOf: (item: T) => string;
  /** Accessible name of the list. */
  label: string;
  empty: ReactNode;
  row: (item: T, parts: Item) => ReactNode;
  /** The dialog that adds or edits an item. */
  form: (item: T | undefined, onClose: () => void) => ReactNode;
  deletion: (
    item: T,
  ) => Pick<ComponentProps<typeof DeleteDialog>, 'operation' | 'payload' | 'inUse' | 'children'>;
  /** The page around the list; title, lead and "Add" button by default. */
  frame?: (list: ReactNode, add: () => void) => ReactNode;
} & ({ order: Sorted } | { /** Class of a list without an order. */ className: string | undefined });

type Task<T> = { kind: 'add' } | { kind: 'edit' | 'delete'; item: T };

/** Items that administrators add, edit and delete, with the dialogs for it; sortable where there is an order. */
export function ItemList<T extends { id: number }>({
  texts,
  query,
  items,
  nameOf,
  label,
  empty,
  row,
  form,
  deletion,
  frame = (list, add) => (
    <>
      {texts !== 'helpAdmin' && <ItemsHeader texts={texts} onAdd={add} />}
      {list}
    </>
  ),
  ...rest
}: ListProps<T>) {
  const t = useTranslations('common');
  const [task, setTask] = useState<Task<T>>();
  const close = (): void => setTask(undefined);
  const rows = items.map((item) => {
    const name = nameOf(item);
    const button = (kind: 'edit' | 'delete') => (
      <ItemButton what={kind} name={name} onClick={() => setTask({ kind, item })} />
    );
    const sort = { id: item.id, name, moveLabel: t('move_named', { name }) };
    return (
      <Fragment key={item.id}>
        {row(item, { name, sort, edit: button('edit'), remove: button('delete') })}
      </Fragment>
    );
  });
  const list = (
    <PagedList query={query} isEmpty={items.length === 0} empty={empty}>
      {'order' in rest ? (
        <OrderedItems label={label} order={rest.order} items={items} nameOf={nameOf}>
          {rows}
        </OrderedItems>
      ) : (
        <ul className={rest.className} aria-label={label}>
          {rows}
        </ul>
      )}
    </PagedList>
  );
  return (
    <>
      {frame(list, () => setTask({ kind: 'add' }))}
      {task && task.kind !== 'delete' && form(task.kind === 'edit' ? task.item : undefined, close)}
      {task?.kind === 'delete' && (
        <DeleteDialog texts={texts} name={nameOf(task.item)} onClose={close} {...deletion(task.item)} />
      )}
    </>
  );
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

type ButtonProps = { what: 'edit' | 'delete'; name: string; onClick: () => void };

/** Edits or deletes a named item. */
export function ItemButton({ what, name, onClick }: ButtonProps) {
  const t = useTranslations('common');
  return (
    <Button size="s" onClick={onClick} aria-label={t(`${what}_named`, { name })}>
      {t(what)}
    </Button>
  );
}
