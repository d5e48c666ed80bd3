const CONTROLS = 'input:not([disabled]), textarea:not([disabled]), button:not([disabled])';

/** The control of the field at a pointer, where the form shows one. */
export function controlAt(form: HTMLElement | null, pointer: string): HTMLElement | null {
  const [, name = ''] = pointer.split('/');
  return form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"] :is(${CONTROLS})`) ?? null;
}

/** Brings the field at a pointer into view and the keyboard to it; false when the form does not show it. */
export function focusField(form: HTMLElement | null, pointer: string): boolean {
  const control = controlAt(form, pointer);
  if (!control) return false;
  control.focus({ preventScroll: true });
  control.closest('[data-field]')?.scrollIntoView({ block: 'center' });
  return true;
}
