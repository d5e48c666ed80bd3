import { useState } from 'react';
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { useEditedLanguages } from '../../../api/edited-languages.ts';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';

type Props<V extends FieldValues, N extends FieldPathByValue<V, Texts>> = {
  control: Control<V>;
  name: N;
  /** Error when no language has a title; absent where none is required. */
  missing?: string;
  label: string;
  /** Several lines. */
  isLong?: boolean;
  hint?: string;
  /** Maximum number of characters. */
  limit?: number;
  /** Labels of the language tabs as a group, and of a language with text. */
  languagesLabel: string;
  writtenLabel: string;
  /** The initially selected language. */
  first: Language;
};

/** Length limits of titles in the contract. */
const TITLE_MAX = 200;

/** A title in each language, one tab at a time. */
export function TitleField<V extends FieldValues, N extends FieldPathByValue<V, Texts>>({
  control,
  name,
  missing,
  label,
  isLong = false,
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
  const languages = useEditedLanguages([value]);
  const write = (text: string): void => field.onChange({ ...value, [language]: text });
  const props = {
    label,
    hint,
    error: fieldState.error?.message,
    value: value[language] ?? '',
    lang: language,
    maxLength: limit,
  };
  return (
    <div>
      <Tabs
        label={languagesLabel}
        value={language}
        onChange={setLanguage}
        tabs={languages.map((id) => ({
          id,
          lang: id,
          label: LANGUAGE_NAMES[id],
          mark: value[id] ? { tone: 'done', label: writtenLabel } : undefined,
        }))}
      />
      {isLong ? <TextArea {...props} onChange={write} /> : <TextField {...props} onValueChange={write} />}
    </div>
  );
}

function isWritten(title: Texts): boolean {
  return LANGUAGES.some((language) => isVisible(title[language] ?? ''));
}
