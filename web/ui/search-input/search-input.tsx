import type { ComponentProps } from 'react';
import { SearchIcon } from '../icon/action-icons.tsx';
import { TextField } from '../text-field/text-field.tsx';

type SearchInputProps = Omit<ComponentProps<typeof TextField>, 'type' | 'leading' | 'hideLabel'>;

/** The field of a search: its label is the icon, it can be emptied, Enter searches at once. */
export function SearchInput({ size = 'default', ...rest }: SearchInputProps) {
  return (
    <TextField
      {...rest}
      size={size}
      type="search"
      hideLabel
      leading={<SearchIcon size={size === 'large' ? 20 : 16} />}
      autoComplete="off"
      enterKeyHint="search"
      spellCheck={false}
    />
  );
}
