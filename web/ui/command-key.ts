/** Elements that need keys themselves: fields, and widgets with typeahead. */
const OWN_KEYS =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true], ' +
  '[role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog]';

/** True when the user types or is in a menu or a dialog: then a key is no command. */
export function needsKeys(event: KeyboardEvent): boolean {
  if (event.isComposing) return true;
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(OWN_KEYS) !== null;
}

export function hasModifier({ metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  return metaKey || ctrlKey || altKey;
}

/** The Latin letter of a key, also on other keyboard layouts or with caps lock; other keys by name. */
export function commandKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter && /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key)) return letter.toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}
