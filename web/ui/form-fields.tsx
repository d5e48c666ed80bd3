import type { ComponentProps } from 'react';
import {
  type Control,
  type FieldPathByValue,
  type FieldValues,
  type RegisterOptions,
  useController,
} from 'react-hook-form';
import { Select } from './select/select.tsx';
import { TextArea } from './text-area/text-area.tsx';
import { TextField } from './text-field/text-field.tsx';

type FormTextFieldProps<V extends FieldValues, N extends FieldPathByValue<V, string>> = {
  control: Control<V>;
  name: N;
  /** Tells what is wrong with a value in words, or answers undefined. */
  check?: (value: string) => string | undefined;
} & Omit<ComponentProps<typeof TextField>, 'name' | 'value' | 'onValueChange' | 'error' | 'ref'>;

/** A text field of a form of react-hook-form. */
export function FormTextField<V extends FieldValues, N extends FieldPathByValue<V, string>>({
  control,
  name,
  check,
  ...rest
}: FormTextFieldProps<V, N>) {
  const rules: RegisterOptions<V, N> | undefined = check && { validate: (value: string) => check(value) };
  const { field, fieldState } = useController({ control, name, ...(rules && { rules }) });
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
  /** Shown while nothing is chosen. */
  placeholder?: string;
  /** What is said where nothing is chosen; absent where that may be. */
  required?: string;
};

/** A choice in a form of react-hook-form. */
export function FormSelect<V extends FieldValues, N extends FieldPathByValue<V, string>, O extends string>({
  control,
  name,
  required,
  ...rest
}: FormSelectProps<V, N, O>) {
  const { field, fieldState } = useController({ control, name, ...(required && { rules: { required } }) });
  return <Select {...rest} value={field.value} onChange={field.onChange} error={fieldState.error?.message} />;
}

type FormTextAreaProps<V extends FieldValues, N extends FieldPathByValue<V, string>> = {
  control: Control<V>;
  name: N;
  /** Tells what is wrong with a value in words, or answers undefined. */
  check?: (value: string) => string | undefined;
} & Omit<ComponentProps<typeof TextArea>, 'name' | 'value' | 'onChange' | 'error'>;

/** Several lines of text in a form of react-hook-form. */
export function FormTextArea<V extends FieldValues, N extends FieldPathByValue<V, string>>({
  control,
  name,
  check,
  ...rest
}: FormTextAreaProps<V, N>) {
  const rules: RegisterOptions<V, N> | undefined = check && { validate: (value: string) => check(value) };
  const { field, fieldState } = useController({ control, name, ...(rules && { rules }) });
  return (
    <TextArea {...rest} value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
  );
}
