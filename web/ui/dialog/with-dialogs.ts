import { guardedWindow } from './dialog.tsx';
import { GuardedWindow } from './guarded-window.tsx';

/** Imported by pages with input: what asks before input is lost must not need the network. */
guardedWindow.provide(GuardedWindow);
