import { tabStorage } from '../../api/tab-storage.ts';

const KEY = 'unfinished';
/** Milliseconds for which a pending action stays valid. */
const LIFETIME = 10 * 60 * 1000;

type Stored = { action: string; mark: string; expiresAt: number };

/** Begins the fragment of the URL to which a sign-in returns that was asked for by a pending action. */
const MARK = '#signed-in-';

/**
 * Stores a pending action for this tab until the visitor has signed in; replaces a previous one.
 * @returns its mark: the fragment of the URL to which the sign-in returns, so that no other page load runs the action
 */
export function storePendingAction(action: string, now: number): string {
  const mark = MARK + crypto.getRandomValues(new Uint32Array(4)).join('-');
  tabStorage().setItem(KEY, JSON.stringify({ action, mark, expiresAt: now + LIFETIME } satisfies Stored));
  return mark;
}

/** Whether a fragment is a mark, of whichever action. */
export function isMark(fragment: string): boolean {
  return fragment.startsWith(MARK);
}

export function deletePendingAction(): void {
  tabStorage().removeItem(KEY);
}

/** Returns and deletes the pending action; undefined when expired, or when `mark` is that of another sign-in. */
export function takePendingAction(now: number, mark: string): string | undefined {
  const text = tabStorage().getItem(KEY);
  if (text === null) return undefined;
  const stored = parse(text);
  if (stored && stored.mark !== mark) return undefined;
  deletePendingAction();
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
    'mark' in value &&
    typeof value.mark === 'string' &&
    'expiresAt' in value &&
    typeof value.expiresAt === 'number'
  );
}
