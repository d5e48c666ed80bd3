import { tabStorage } from '../../api/tab-storage.ts';

const KEY = 'unfinished';
/** Milliseconds for which a pending action stays valid. */
const LIFETIME = 10 * 60 * 1000;

type Kept = { what: string; until: number };

/** Stores a pending action for this tab until the visitor has signed in; replaces a previous one. */
export function keepUnfinished(what: string, now: number): void {
  tabStorage().setItem(KEY, JSON.stringify({ what, until: now + LIFETIME } satisfies Kept));
}

export function forgetUnfinished(): void {
  tabStorage().removeItem(KEY);
}

/** Returns and deletes the pending action; undefined when expired. */
export function takeUnfinished(now: number): string | undefined {
  const text = tabStorage().getItem(KEY);
  if (text === null) return undefined;
  forgetUnfinished();
  const kept = parse(text);
  const isFresh = kept !== undefined && kept.until > now && kept.until <= now + LIFETIME;
  return isFresh ? kept.what : undefined;
}

/** Other scripts of this origin may have written anything. */
function parse(text: string): Kept | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isKept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'what' in value &&
    typeof value.what === 'string' &&
    'until' in value &&
    typeof value.until === 'number'
  );
}
