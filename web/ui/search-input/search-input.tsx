import SearchIcon from 'lucide-react/icons/search';
import XIcon from 'lucide-react/icons/x';
import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import field from '../field/field.module.css';
import { isComposing } from '../text-field/composition.ts';
import { FieldButton } from '../text-field/field-button.tsx';
import styles from '../text-field/text-field.module.css';
import visuallyHidden from '../visually-hidden/visually-hidden.module.css';

type SearchInputProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'value' | 'onChange' | 'ref'> & {
  label: string;
  value: string;
  /** Called with what is typed; an IME composition counts once it has ended (R 13.1). */
  onValueChange: (value: string) => void;
  /** Called on Enter, unless it ends an IME composition (R 13.1). */
  onEnter?: () => void;
  size?: 'small' | 'default' | 'large';
  /** Label of the clear button; without it there is none. */
  clearLabel?: string;
  /** The field itself, for what is shown below it. */
  inputRef?: RefObject<HTMLInputElement | null>;
};

/** A search field: an icon as label, a clear button, and immediate search on Enter. */
export function SearchInput({
  label,
  value,
  onValueChange,
  onEnter,
  size = 'default',
  clearLabel,
  className,
  inputRef,
  ...rest
}: SearchInputProps) {
  const id = useId();
  const ownRef = useRef<HTMLInputElement>(null);
  const input = inputRef ?? ownRef;
  /** The text during a composition. */
  const [composed, setComposed] = useState<string>();
  const type = (typed: string): void => {
    setComposed(undefined);
    onValueChange(typed);
  };
  const clear = (): void => {
    type('');
    input.current?.focus();
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !isComposing(event)) onEnter?.();
  };
  return (
    <div className={classNames(field.field, className)}>
      <div className={visuallyHidden.hidden}>
        <label htmlFor={id} id={`${id}-label`} className={field.label}>
          {label}
        </label>
      </div>
      <div className={classNames(styles.box, styles[size])}>
        <span className={styles.leading}>
          <SearchIcon size={size === 'large' ? 20 : 16} />
        </span>
        <input
          autoComplete="off"
          enterKeyHint="search"
          spellCheck={false}
          {...rest}
          ref={input}
          id={id}
          className={styles.input}
          type="search"
          value={composed ?? value}
          onChange={({ target, nativeEvent }) =>
            nativeEvent instanceof InputEvent && nativeEvent.isComposing
              ? setComposed(target.value)
              : type(target.value)
          }
          onCompositionEnd={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={enter}
        />
        {clearLabel && value !== '' && (
          <FieldButton label={clearLabel} onClick={clear} icon={<XIcon size={14} />} />
        )}
      </div>
    </div>
  );
}
