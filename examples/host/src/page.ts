/** An element of index.html. @throws Error without one of this kind */
export function element<E extends Element>(id: string, kind: { new (): E; prototype: E }): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`);
  return found;
}

/** A new element with a text, or with others in it. */
export function make<N extends keyof HTMLElementTagNameMap>(
  name: N,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

export function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = make('button', text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
