/** Where a key belongs to what has the focus: fields, and widgets that find their items by letters. */
const OWN_KEYS =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true], ' +
  '[role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog]';

/** True when somebody types, or is in a menu or a dialog: then a letter is no command of the page. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return true;
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(OWN_KEYS) !== null;
}

/** The Latin letter of a key, also where the keyboard writes another script or capitals; other keys by their name. */
export function commandKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter && /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key)) return letter.toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}
