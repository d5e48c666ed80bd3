import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { SortableRow } from '../frame/sortable-list.tsx';
import styles from './help-screen.module.css';

type Props = { id: number; name: string; children: ReactNode };

/** A row of the help center's lists. */
export function HelpRow({ id, name, children }: Props) {
  const t = useTranslations('helpAdmin');
  return (
    <SortableRow
      id={id}
      name={name}
      moveLabel={t('move', { name })}
      className={styles.row}
      orderClassName={styles.order}
    >
      {children}
    </SortableRow>
  );
}

/** What something of several languages is called in the language of the page. */
export function useNameOf(): (texts: Texts, own: Language) => string {
  const { language } = useSite();
  return (texts, own) => textIn(texts, language, own).text;
}
