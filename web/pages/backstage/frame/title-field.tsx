import { useState } from 'react';
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';

type Props<V extends FieldValues, N extends FieldPathByValue<V, Texts>> = {
  control: Control<V>;
  name: N;
  /** What is said where no language has a title; absent where none is needed. */
  missing?: string;
  label: string;
  hint?: string;
  /** Greatest number of characters. */
  limit?: number;
  /** Names the languages as a whole, and one in which something is written. */
  languagesLabel: string;
  writtenLabel: string;
  /** The language that is open at first. */
  first: Language;
};

/** Bounds of titles in the contract. */
const TITLE_MAX = 200;

/** A title in each language, one open at a time. */
export function TitleField<V extends FieldValues, N extends FieldPathByValue<V, Texts>>({
  control,
  name,
  missing,
  label,
  hint,
  limit = TITLE_MAX,
  languagesLabel,
  writtenLabel,
  first,
}: Props<V, N>) {
  const [language, setLanguage] = useState(first);
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (title: Texts) => (isWritten(title) ? undefined : missing) },
  });
  const value: Texts = field.value;
  return (
    <div>
      <Tabs
        label={languagesLabel}
        value={language}
        onChange={setLanguage}
        tabs={LANGUAGES.map((id) => ({
          id,
          lang: id,
          label: LANGUAGE_NAMES[id],
          mark: value[id] ? { tone: 'done', label: writtenLabel } : undefined,
        }))}
      />
      <TextField
        label={label}
        hint={hint}
        error={fieldState.error?.message}
        value={value[language] ?? ''}
        onValueChange={(text) => field.onChange({ ...value, [language]: text })}
        lang={language}
        maxLength={limit}
      />
    </div>
  );
}

function isWritten(title: Texts): boolean {
  return LANGUAGES.some((language) => title[language]?.trim());
}
