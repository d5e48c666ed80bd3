import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
// Documents show the avatar before any script runs, so its style is loaded with them.
import '../../ui/avatar/avatar.module.css';

/** The menu's code: visitors never load it, documents of signed-in users have it in their first view. */
export const accountMenu = lazyWithRetry(async () => (await import('./account-menu.tsx')).AccountMenu);
