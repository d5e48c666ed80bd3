import { SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import { useSearchText } from '../../../ui/search-input/use-search-text.ts';
import styles from './filter-bar.module.css';

type Props = { label: string; clearLabel: string; value: string; onChange: (value: string) => void };

/** A text that narrows a list once typing pauses. */
export function FilterText({ label, clearLabel, value, onChange }: Props) {
  const { text, type } = useSearchText({ value, onSearch: onChange, delay: SEARCH_DELAY });
  return (
    <SearchInput
      className={styles.text}
      label={label}
      placeholder={label}
      clearLabel={clearLabel}
      maxLength={TEXT_LIMITS.keyword}
      value={text}
      onValueChange={type}
    />
  );
}
