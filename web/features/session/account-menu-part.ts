import { useEffect, useState } from 'react';
import type { AccountMenu } from './account-menu.tsx';
// Documents show the avatar before any script runs, so its style is loaded with them.
import '../../ui/avatar/avatar.module.css';

type Menu = typeof AccountMenu;

/** The menu's module once loaded: visitors never load it. */
let loaded: Menu | undefined;

/** Preloads the menu for signed-in users, so that their first view has it. */
export async function loadAccountMenu(): Promise<void> {
  loaded ??= (await import('./account-menu.tsx')).AccountMenu;
}

/** The menu, lazily loaded; a failed load is retried on the next page. */
export function useAccountMenu(isRequested: boolean): Menu | undefined {
  const [menu, setMenu] = useState(() => loaded);
  useEffect(() => {
    if (!isRequested || menu) return;
    let isShown = true;
    loadAccountMenu().then(
      () => isShown && setMenu(() => loaded),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isRequested, menu]);
  return menu;
}
