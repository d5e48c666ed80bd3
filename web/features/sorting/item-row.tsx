import ImageIcon from 'lucide-react/icons/image';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../shared/contract.ts';
import type { Picture } from '../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { type PayloadOf, useOperation } from '../../api/use-operation.ts';
import { Switch } from '../../ui/switch/switch.tsx';
import styles from './item-row.module.css';
import { SortableRow } from './sortable-list.tsx';

/** The item of a sortable row. */
type Sort = { id: number | string; name: string };

type RowProps = {
  /** Absent for lists without an order. */
  sort?: Sort;
  status?: ReactNode;
  toggle?: ReactNode;
  actions: ReactNode;
} & (
  | { /** Stands in place of picture, title and facts. */ body: ReactNode }
  | {
      /** The picture, or a placeholder (null). */
      picture?: Picture | null;
      title: ReactNode;
      /** One line of further facts. */
      facts: ReactNode;
    }
);

/** One item in a row: position, picture, name and facts, status, and actions. */
export function ItemRow({ sort, status, toggle, actions, ...rest }: RowProps) {
  const cells = (
    <>
      {'body' in rest ? (
        <div className={styles.body}>{rest.body}</div>
      ) : (
        <>
          {rest.picture !== undefined && <Thumbnail picture={rest.picture} />}
          <div className={styles.texts}>
            <p className={styles.name}>{rest.title}</p>
            <p className={styles.facts}>{rest.facts}</p>
          </div>
        </>
      )}
      {status && <div className={styles.status}>{status}</div>}
      {toggle && <div className={styles.toggle}>{toggle}</div>}
      <div className={styles.actions}>{actions}</div>
    </>
  );
  if (sort) return <SortableRow {...sort}>{cells}</SortableRow>;
  return (
    <div className={styles.list}>
      <div className={styles.row}>{cells}</div>
    </div>
  );
}

function Thumbnail({ picture }: { picture: Picture | null }) {
  if (!picture)
    return (
      <span className={styles.picture}>
        <ImageIcon size={18} />
      </span>
    );
  return (
    <img
      className={styles.picture}
      src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
      srcSet={pictureSrcset(picture.key, picture.widths)}
      sizes="72px"
      loading="lazy"
      alt=""
    />
  );
}

type ShownProps<O extends Operation> = {
  /** Label of the switch. */
  label: string;
  isHidden: boolean;
  operation: O;
  payload: (isHidden: boolean) => PayloadOf<O>;
};

/** Whether an item is shown, with its optimistic switch. */
export function useVisibility<O extends Operation>({ label, isHidden, operation, payload }: ShownProps<O>) {
  const t = useTranslations('common');
  const show = useOperation(operation, (isShown: boolean) => payload(!isShown), {
    failsIn: 'toast',
    failed: t('failed'),
  });
  const isShown = show.isPending ? show.variables : !isHidden;
  return {
    isShown,
    toggle: (
      <Switch
        label={label}
        hideLabel
        checked={isShown}
        disabled={show.isPending}
        onChange={(isOn) => show.mutate(isOn)}
      />
    ),
  };
}
