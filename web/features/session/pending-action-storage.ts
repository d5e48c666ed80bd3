import { tabStorage } from '../../api/tab-storage.ts';

const KEY = 'unfinished';
/** Milliseconds for which a pending action stays valid. */
const LIFETIME = 10 * 60 * 1000;

type Stored = { action: string; expiresAt: number };

/** Stores a pending action for this tab until the visitor has signed in; replaces a previous one. */
export function storePendingAction(action: string, now: number): void {
  tabStorage().setItem(KEY, JSON.stringify({ action, expiresAt: now + LIFETIME } satisfies Stored));
}

export function deletePendingAction(): void {
  tabStorage().removeItem(KEY);
}

/** Returns and deletes the pending action; undefined when expired. */
export function takePendingAction(now: number): string | undefined {
  const text = tabStorage().getItem(KEY);
  if (text === null) return undefined;
  deletePendingAction();
  const stored = parse(text);
  const isFresh = stored !== undefined && stored.expiresAt > now && stored.expiresAt <= now + LIFETIME;
  return isFresh ? stored.action : undefined;
}

/** Other scripts of this origin may have written anything. */
function parse(text: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStored(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStored(value: unknown): value is Stored {
  return (
    typeof value === 'object' &&
    value !== null &&
    'action' in value &&
    typeof value.action === 'string' &&
    'expiresAt' in value &&
    typeof value.expiresAt === 'number'
  );
}
