import type { ComponentProps } from 'react';
import {
  type Control,
  type FieldPathByValue,
  type FieldValues,
  type UseControllerProps,
  useController,
} from 'react-hook-form';
import { RadioGroup } from './radio-group/radio-group.tsx';
import { Select } from './select/select.tsx';
import { TextArea } from './text-area/text-area.tsx';
import { TextField } from './text-field/text-field.tsx';

type Rules<V extends FieldValues, N extends FieldPathByValue<V, string>> = NonNullable<
  UseControllerProps<V, N>['rules']
>;

type FormTextFieldProps<V extends FieldValues, N extends FieldPathByValue<V, string>> = {
  control: Control<V>;
  name: N;
  /** Validates a value: its error text, or undefined. */
  check?: (value: string) => string | undefined;
  /** Another field to validate when this one changes. */
  alsoChecks?: N;
} & Omit<ComponentProps<typeof TextField>, 'name' | 'value' | 'onValueChange' | 'error' | 'ref'>;

/** A text field of a form of react-hook-form. */
export function FormTextField<V extends FieldValues, N extends FieldPathByValue<V, string>>({
  control,
  name,
  check,
  alsoChecks,
  ...rest
}: FormTextFieldProps<V, N>) {
  const rules: Rules<V, N> = {
    ...(check && { validate: (value: string) => check(value) }),
    ...(alsoChecks && { deps: alsoChecks }),
  };
  const { field, fieldState } = useController({ control, name, rules });
  return (
    <TextField
      {...rest}
      ref={field.ref}
      name={name}
      value={field.value}
      onValueChange={field.onChange}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  );
}

type FormSelectProps<V extends FieldValues, N extends FieldPathByValue<V, string>, O extends string> = {
  control: Control<V>;
  name: N;
  label: string;
  options: readonly { value: O; label: string }[];
  /** Shown without a choice. */
  placeholder?: string;
  /** Error text without a choice; absent for an optional field. */
  required?: string;
};

/** A select of a form of react-hook-form. */
export function FormSelect<V extends FieldValues, N extends FieldPathByValue<V, string>, O extends string>({
  control,
  name,
  required,
  ...rest
}: FormSelectProps<V, N, O>) {
  const { field, fieldState } = useController({ control, name, ...(required && { rules: { required } }) });
  return (
    <Select
      {...rest}
      ref={field.ref}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  );
}

type FormTextAreaProps<V extends FieldValues, N extends FieldPathByValue<V, string>> = {
  control: Control<V>;
  name: N;
  /** Validates a value: its error text, or undefined. */
  check?: (value: string) => string | undefined;
} & Omit<ComponentProps<typeof TextArea>, 'name' | 'value' | 'onChange' | 'onBlur' | 'error' | 'ref'>;

export function FormTextArea<V extends FieldValues, N extends FieldPathByValue<V, string>>({
  control,
  name,
  check,
  ...rest
}: FormTextAreaProps<V, N>) {
  const rules: Rules<V, N> = { ...(check && { validate: (value: string) => check(value) }) };
  const { field, fieldState } = useController({ control, name, rules });
  return (
    <TextArea
      {...rest}
      ref={field.ref}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  );
}

type FormRadioGroupProps<V extends FieldValues, N extends FieldPathByValue<V, O>, O extends string> = {
  control: Control<V>;
  name: N;
} & Omit<ComponentProps<typeof RadioGroup<O>>, 'value' | 'onChange' | 'error' | 'ref'>;

/** Radio buttons of a form of react-hook-form. */
export function FormRadioGroup<V extends FieldValues, N extends FieldPathByValue<V, O>, O extends string>({
  control,
  name,
  ...rest
}: FormRadioGroupProps<V, N, O>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <RadioGroup
      {...rest}
      ref={field.ref}
      value={field.value}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  );
}
