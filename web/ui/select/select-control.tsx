import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select } from '@base-ui/react/select';
import CheckIcon from 'lucide-react/icons/check';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import layer from '../popup.module.css';
import styles from './select.module.css';
import { type SelectControlProps, selectClass } from './select-face.tsx';

/** The interactive select, without the style element that the page's content security policy would block. */
export function SelectControl({
  id,
  value,
  onChange,
  options,
  placeholder,
  disabled,
  describedBy,
  onBlur,
  triggerRef,
  ...rest
}: SelectControlProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <CSPProvider disableStyleElements>
      <Select.Root
        id={id}
        items={[...options]}
        value={chosen ? value : null}
        onValueChange={(next) => next !== null && onChange(next)}
        disabled={disabled}
        modal={false}
      >
        <Select.Trigger
          ref={triggerRef}
          onBlur={onBlur}
          className={selectClass(rest)}
          aria-labelledby={`${id}-label`}
          aria-describedby={describedBy}
          aria-invalid={rest.invalid || undefined}
        >
          <span className={chosen ? styles.value : styles.placeholder} lang={chosen?.lang}>
            {chosen?.label ?? placeholder}
          </span>
          <ChevronDownIcon className={styles.arrow} />
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner className={layer.positioner} alignItemWithTrigger={false} sideOffset={6}>
            <Select.Popup className={layer.popup} aria-labelledby={`${id}-label`}>
              {options.map((option) => (
                <Select.Item
                  key={option.value}
                  className={layer.item}
                  value={option.value}
                  disabled={option.disabled ?? false}
                >
                  <Select.ItemText className={layer.text} lang={option.lang}>
                    {option.label}
                  </Select.ItemText>
                  <Select.ItemIndicator className={layer.check}>
                    <CheckIcon />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </CSPProvider>
  );
}
