import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { classNames } from '../../../ui/class-names.ts';
import { GripIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlaceButton } from '../frame/place-button.tsx';
import styles from './help-screen.module.css';

type Props = { id: number; name: string; children: ReactNode };

/** A row of a list to be put in order, with the handle by which it is moved. */
export function HelpRow({ id, name, children }: Props) {
  const t = useTranslations('helpAdmin');
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
          aria-label={t('move', { name })}
        >
          <GripIcon size={18} />
        </button>
        <PlaceButton id={id} name={name} />
      </div>
      {children}
    </li>
  );
}

/** What something of several languages is called in the language of the page. */
export function useNameOf(): (texts: Texts, own: Language) => string {
  const { language } = useSite();
  return (texts, own) => textIn(texts, language, own).text;
}
