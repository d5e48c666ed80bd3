const CONTROLS = 'input:not([disabled]), textarea:not([disabled]), button:not([disabled])';

/** Brings the field at a pointer into view and the keyboard to it; false when the form does not show it. */
export function focusField(form: HTMLElement | null, pointer: string): boolean {
  const [, name = ''] = pointer.split('/');
  const field = form?.querySelector(`[data-field="${CSS.escape(name)}"]`);
  const control = field?.querySelector<HTMLElement>(CONTROLS);
  if (!field || !control) return false;
  control.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'center' });
  return true;
}
