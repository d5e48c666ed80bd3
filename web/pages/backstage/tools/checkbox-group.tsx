import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { Checkbox } from '../../../ui/checkbox/checkbox.tsx';
import styles from './tools-screen.module.css';

type Props<V extends FieldValues, O extends string, N extends FieldPathByValue<V, O[]>> = {
  control: Control<V>;
  name: N;
  label: string;
  options: readonly { value: O; label: string }[];
  /** Error text if none is checked. */
  missing: string;
};

/** Checkboxes of a form, of which at least one is checked. */
export function CheckboxGroup<V extends FieldValues, O extends string, N extends FieldPathByValue<V, O[]>>({
  control,
  name,
  label,
  options,
  missing,
}: Props<V, O, N>) {
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (checked: O[]) => (checked.length > 0 ? undefined : missing) },
  });
  const checked: readonly O[] = field.value;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {options.map(({ value, label: text }, index) => (
        <Checkbox
          key={value}
          label={text}
          name={name}
          checked={checked.includes(value)}
          error={index === options.length - 1 ? fieldState.error?.message : undefined}
          onChange={(isChecked) =>
            field.onChange(isChecked ? [...checked, value] : checked.filter((one) => one !== value))
          }
        />
      ))}
    </fieldset>
  );
}
