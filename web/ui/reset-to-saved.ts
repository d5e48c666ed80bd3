import type { FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * A form that stays open after it was saved: what was stored becomes its start, and what was typed meanwhile stays, unsaved.
 * @param sent the values that were saved
 */
export function resetToSaved<V extends FieldValues>(
  { getValues, reset }: Pick<UseFormReturn<V>, 'getValues' | 'reset'>,
  { sent, saved }: { sent: V; saved: V },
): void {
  const typed = Object.entries(getValues()).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]),
  );
  reset(saved);
  reset({ ...saved, ...Object.fromEntries(typed) }, { keepDefaultValues: true });
}
