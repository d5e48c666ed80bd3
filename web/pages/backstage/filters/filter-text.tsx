import { useEffect, useRef, useState } from 'react';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import { useDelayed } from '../frame/use-delayed.ts';
import styles from './filter-bar.module.css';

type Props = { label: string; clearLabel: string; value: string; onChange: (value: string) => void };

/** A text that narrows a list once typing pauses. */
export function FilterText({ label, clearLabel, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const rested = useDelayed(typed.trim());
  const told = useRef(value);
  useEffect(() => {
    if (rested === told.current) return;
    told.current = rested;
    onChange(rested);
  }, [rested, onChange]);
  return (
    <SearchInput
      className={styles.text}
      label={label}
      placeholder={label}
      clearLabel={clearLabel}
      maxLength={TEXT_LIMITS.keyword}
      value={typed}
      onValueChange={setTyped}
    />
  );
}
