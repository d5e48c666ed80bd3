import { useSyncExternalStore } from 'react';
import { THEME_COOKIE, type Theme } from '../../../shared/boot.ts';
import { storePreference } from './preference-cookie.ts';

export const THEMES: readonly Theme[] = ['light', 'dark', 'system'];

const listeners = new Set<() => void>();

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The chosen colour scheme; `initial` is the one that the page was rendered with. */
export function useTheme(initial: Theme): Theme {
  return useSyncExternalStore(
    subscribe,
    () => themeOf(document) ?? initial,
    () => initial,
  );
}

/** Applies a colour scheme and stores it for the next pages. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  storePreference(document, THEME_COOKIE, theme === 'system' ? undefined : theme);
  for (const changed of listeners) changed();
}

function themeOf(document: Document): Theme | undefined {
  return THEMES.find((theme) => theme === document.documentElement.dataset.theme);
}
