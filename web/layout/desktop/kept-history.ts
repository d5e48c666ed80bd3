import { ENTRIES_MAX, isEntry, type NavigationHistory } from './navigation-history.ts';

const KEY = 'desktop_history';

/** The history of this tab, or undefined when there is none that makes sense. */
export function readHistory(storage: Pick<Storage, 'getItem'>): NavigationHistory | undefined {
  const kept = parse(storage.getItem(KEY) ?? '');
  if (typeof kept !== 'object' || kept === null || !('list' in kept) || !('index' in kept)) return undefined;
  const { list, index } = kept;
  if (
    !Array.isArray(list) ||
    list.length > ENTRIES_MAX ||
    !list.every((entry) => typeof entry === 'string' && isEntry(entry))
  )
    return undefined;
  if (typeof index !== 'number' || !Number.isInteger(index) || !(index in list)) return undefined;
  return { list, index };
}

export function keepHistory(storage: Pick<Storage, 'setItem'>, { list, index }: NavigationHistory): void {
  storage.setItem(KEY, JSON.stringify({ list, index }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
