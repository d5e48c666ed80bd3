import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { SortableRow } from '../frame/sortable-list.tsx';
import styles from './tags-screen.module.css';

/** What administrators name in all languages, hide and put in order: tags and marks. */
type Named = Pick<ManagedTag, 'id' | 'code' | 'is_hidden' | 'plugin_count'>;

type RowProps = {
  item: Named;
  name: string;
  /** Stands where the name stands. */
  title: ReactNode;
  isShown: boolean;
  isBusy: boolean;
  onShow: (isShown: boolean) => void;
  actions: ReactNode;
};

/** One of them: its place, what it is called, whether it is shown, and what can be done with it. */
export function NamedRow({ item, name, title, isShown, isBusy, onShow, actions }: RowProps) {
  const t = useTranslations('tagAdmin');
  return (
    <SortableRow id={item.id} name={name} moveLabel={t('move', { name })} className={styles.row}>
      <div className={styles.texts}>
        <p className={styles.name}>
          {title} {!isShown && <Badge tone="warning">{t('hidden')}</Badge>}
        </p>
        <p className={styles.facts}>
          <code>{item.code}</code> · {t('plugins', { count: item.plugin_count })}
        </p>
      </div>
      <Switch
        label={t('show_named', { name })}
        hideLabel
        checked={isShown}
        disabled={isBusy}
        onChange={onShow}
      />
      <div className={styles.actions}>{actions}</div>
    </SortableRow>
  );
}

type NamesProps = {
  name: Texts;
  onChange: (name: Texts) => void;
  limit: number;
  errorOf: (language: Language) => string | undefined;
  onEnter: () => void;
};

/** A name in each language. */
export function NamesField({ name, onChange, limit, errorOf, onEnter }: NamesProps) {
  const t = useTranslations('tagAdmin');
  return (
    <fieldset className={styles.names}>
      <legend className={styles.legend}>{t('names')}</legend>
      {LANGUAGES.map((language) => (
        <TextField
          key={language}
          label={<span lang={language}>{LANGUAGE_NAMES[language]}</span>}
          value={name[language] ?? ''}
          onValueChange={(value) => onChange({ ...name, [language]: value })}
          error={errorOf(language)}
          lang={language}
          maxLength={limit}
          onEnter={onEnter}
        />
      ))}
    </fieldset>
  );
}
