import { useEffect, useEffectEvent } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router-dom';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { commandKey, hasModifier, needsKeys } from '../../../ui/command-key.ts';
import { isModalOpen } from '../../../ui/modal-layer.ts';
import { isSlashOn } from './slash-choice.ts';

/** State of a navigation after which the search field has the focus, in place of the page's beginning. */
const STATE = { focus: 'search' } as const;

export function takesSearchFocus(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'focus' in state && state.focus === STATE.focus;
}

/**
 * `/`, unless it is turned off, Ctrl+K and Cmd+K focus the search field of the page, or that of home; never while the user types,
 * or below a dialog.
 */
export function useSearchShortcut(): void {
  const navigate = useNavigate();
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (!isShortcut(event) || event.defaultPrevented || needsKeys(event) || isModalOpen()) return;
    event.preventDefault();
    focusSearch(navigate);
  });
  useEffect(() => {
    const listening = new AbortController();
    addEventListener('keydown', (event) => press(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);
}

function isShortcut(event: KeyboardEvent): boolean {
  const key = commandKey(event);
  if (key === '/') return !hasModifier(event) && isSlashOn();
  return key === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
}

function focusSearch(navigate: NavigateFunction): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[type=search]')];
  const field = fields.find((one) => one.checkVisibility() && !one.disabled);
  if (!field) {
    void navigate(BASE_PATH, { state: STATE });
    return;
  }
  field.focus();
  field.select();
}
