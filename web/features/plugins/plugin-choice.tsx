import { type ReactNode, useId } from 'react';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { SearchInput } from '../../ui/search-input/search-input.tsx';
import styles from './plugin-choice.module.css';
import { PluginIcon } from './plugin-icon.tsx';

type Props = {
  /** Names the choice, and the search above it. */
  label: string;
  search: {
    label: string;
    clearLabel: string;
    maxLength: number;
    typed: string;
    onType: (text: string) => void;
  };
  /** A choice of no plugin, whose value is empty. */
  noneLabel?: string;
  plugins: readonly Pick<PluginCard, 'plugin_key' | 'name' | 'icon'>[];
  /** Shown if the search has found nothing; absent while it runs. */
  nothingFound: string | undefined;
  busy: boolean;
  /** Key of the chosen plugin. */
  value: string;
  onChange: (pluginKey: string) => void;
  error: string | undefined;
};

/** Chooses one plugin by a search. */
export function PluginChoice({
  label,
  search,
  noneLabel,
  plugins,
  nothingFound,
  busy,
  value,
  onChange,
  error,
}: Props) {
  const name = useId();
  return (
    <div>
      <SearchInput
        // Outside the form: Enter searches and doesn't submit.
        form=""
        label={search.label}
        placeholder={search.label}
        clearLabel={search.clearLabel}
        maxLength={search.maxLength}
        value={search.typed}
        onValueChange={search.onType}
      />
      <div className={styles.found} role="radiogroup" aria-label={label} aria-busy={busy}>
        {noneLabel !== undefined && (
          <Option name={name} isChosen={value === ''} onChoose={() => onChange('')}>
            {noneLabel}
          </Option>
        )}
        {plugins.map(({ plugin_key, name: label, icon }) => (
          <Option
            key={plugin_key}
            name={name}
            isChosen={plugin_key === value}
            onChoose={() => onChange(plugin_key)}
          >
            <PluginIcon icon={icon} name={label} size={36} />
            {label}
          </Option>
        ))}
        {nothingFound !== undefined && <p className={styles.none}>{nothingFound}</p>}
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type OptionProps = { name: string; isChosen: boolean; onChoose: () => void; children: ReactNode };

function Option({ name, isChosen, onChoose, children }: OptionProps) {
  return (
    <label className={styles.option}>
      <input type="radio" className={styles.radio} name={name} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
