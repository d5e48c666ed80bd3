import { useEffect, useState } from 'react';
import type { AccountMenu } from './account-menu.tsx';
// Documents show the avatar before any script runs, so that its style comes with them.
import '../../ui/avatar/avatar.module.css';

type Menu = typeof AccountMenu;

/** The menu, once it is there: no visitor fetches it. */
let loaded: Menu | undefined;

/** Fetches the menu, so that whoever is signed in has it in their first view. */
export async function loadAccountMenu(): Promise<void> {
  loaded ??= (await import('./account-menu.tsx')).AccountMenu;
}

/** The menu, fetched when first wanted; a fetch that fails begins again on the next page. */
export function useAccountMenu(isWanted: boolean): Menu | undefined {
  const [menu, setMenu] = useState(() => loaded);
  useEffect(() => {
    if (!isWanted || menu) return;
    let isShown = true;
    loadAccountMenu().then(
      () => isShown && setMenu(() => loaded),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isWanted, menu]);
  return menu;
}
