import { lastingStorage } from '../../../api/tab-storage.ts';

const STORED = 'recent-searches';
const KEPT = 5;

/** The latest searches of this browser, newest first. No server gets to know them. */
export function readRecentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(lastingStorage().getItem(STORED) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((text): text is string => typeof text === 'string').slice(0, KEPT)
      : [];
  } catch {
    return [];
  }
}

/** Adds a search as the newest one. A word that was typed on replaces its beginning. */
export function addRecentSearch(keyword: string): void {
  const text = keyword.trim();
  if (text === '') return;
  const others = readRecentSearches().filter(
    (other, at) => other !== text && !(at === 0 && text.startsWith(other)),
  );
  store([text, ...others].slice(0, KEPT));
}

/** Forgets all searches. */
export function clearRecentSearches(): void {
  lastingStorage().removeItem(STORED);
}

function store(searches: readonly string[]): void {
  try {
    lastingStorage().setItem(STORED, JSON.stringify(searches));
  } catch {
    // A full storage: the search itself is not affected.
  }
}
