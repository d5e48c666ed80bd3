import { type RefObject, useCallback, useEffect, useState } from 'react';
import { EMPTY_VALUES, type FieldName, type SignInValues } from './sign-in-fields.ts';

/**
 * What stands in the fields of a form: also what was typed, or filled in by the browser, before the page came
 * to life.
 */
export function useTypedValues(
  form: RefObject<HTMLFormElement | null>,
): [SignInValues, (name: FieldName, value: string) => void] {
  const [values, setValues] = useState(EMPTY_VALUES);
  const change = useCallback(
    (name: FieldName, value: string) => setValues((before) => ({ ...before, [name]: value })),
    [],
  );
  useEffect(() => {
    if (!form.current) return;
    for (const [name, value] of new FormData(form.current)) {
      if (isFieldName(name) && typeof value === 'string' && value !== '') change(name, value);
    }
  }, [form, change]);
  return [values, change];
}

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(EMPTY_VALUES, name);
}
