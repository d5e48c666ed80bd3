import { useState } from 'react';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';

type Props = {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Names the languages as a whole, and one in which something is written. */
  languagesLabel: string;
  writtenLabel: string;
  value: Texts;
  onChange: (value: Texts) => void;
  /** The language that is open at first. */
  first: Language;
};

/** Bounds of titles in the contract. */
const TITLE_MAX = 200;

/** A title in each language, one open at a time. */
export function TitleField({
  label,
  hint,
  error,
  languagesLabel,
  writtenLabel,
  value,
  onChange,
  first,
}: Props) {
  const [language, setLanguage] = useState(first);
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
        error={error}
        value={value[language] ?? ''}
        onValueChange={(text) => onChange({ ...value, [language]: text })}
        lang={language}
        maxLength={TITLE_MAX}
      />
    </div>
  );
}
