import { type Ref, useId, useSyncExternalStore } from 'react';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { describedBy, Field, type FieldFacts } from '../field/field.tsx';
import { SelectFace, type SelectOption } from './select-face.tsx';

const selectControl = lazyWithRetry(async () => (await import('./select-control.tsx')).SelectControl);

type SelectProps<V extends string> = FieldFacts & {
  value: V;
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  /** Shown without a choice. */
  placeholder?: string;
  size?: 'small' | 'default';
  disabled?: boolean;
  className?: string | undefined;
  onBlur?: () => void;
  ref?: Ref<HTMLButtonElement>;
};

const never = (): (() => void) => () => undefined;

/**
 * A select with a popup list. Its code is only loaded in the browser: the server renders a static look, so that the
 * document has no style attribute.
 */
export function Select<V extends string>({
  label,
  hideLabel = false,
  hint,
  error,
  note,
  value,
  onChange,
  options,
  placeholder = '',
  size = 'default',
  disabled = false,
  className,
  onBlur,
  ref,
}: SelectProps<V>) {
  const id = useId();
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const facts = { label, hideLabel, hint, error, note };
  const shared = { id, value, options, placeholder, size, disabled, invalid: Boolean(error) };
  const choose = (next: string): void => {
    const chosen = options.find((option) => option.value === next);
    if (chosen) onChange(chosen.value);
  };
  const face = <SelectFace {...shared} />;
  return (
    <Field {...facts} id={id} className={className}>
      {isHydrated ? (
        <Lazy part={selectControl} fallback={face}>
          {(SelectControl) => (
            <SelectControl
              {...shared}
              onChange={choose}
              onBlur={onBlur}
              describedBy={describedBy(id, facts)}
              triggerRef={ref}
            />
          )}
        </Lazy>
      ) : (
        face
      )}
    </Field>
  );
}
