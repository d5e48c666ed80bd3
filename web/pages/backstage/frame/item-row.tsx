import { useMutation } from '@tanstack/react-query';
import ImageIcon from 'lucide-react/icons/image';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { failureText } from '../../../api/error-text.ts';
import { Switch } from '../../../ui/switch/switch.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import type { ItemTexts } from './edit-dialogs.tsx';
import styles from './item-row.module.css';
import { SortableRow } from './sortable-list.tsx';

/** The place of a row in an order, and what its handle is called. */
export type Sort<Id> = { id: Id; name: string; moveLabel: string };

type RowProps = {
  /** Absent where nothing can be put in order. */
  sort?: Sort<number | string>;
  status?: ReactNode;
  toggle?: ReactNode;
  actions: ReactNode;
} & (
  | { /** Stands in place of picture, title and facts. */ body: ReactNode }
  | {
      /** A picture is shown, or that there is none (null). */
      picture?: Picture | null;
      title: ReactNode;
      /** One line of what else is known. */
      facts: ReactNode;
    }
);

/** One thing in a line: its place, picture, name and facts, where it stands, and what can be done with it. */
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

type ShownProps = {
  texts: ItemTexts;
  /** Of the switch. */
  label: string;
  isHidden: boolean;
  save: (isHidden: boolean) => Promise<unknown>;
  refresh: () => Promise<unknown>;
};

/** Whether a thing is shown, with the switch for it: shown as it was set while that is not answered. */
export function useShown({ texts, label, isHidden, save, refresh }: ShownProps) {
  const t = useTranslations();
  const toast = useToast();
  const show = useMutation({
    mutationFn: (isShown: boolean) => save(!isShown),
    onSuccess: refresh,
    onError: (error) => toast({ kind: 'failure', text: failureText(t(`${texts}.failed`), error) }),
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
