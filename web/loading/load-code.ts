import { isConnectionLost, noteUnanswered, whenBack } from './connection.ts';
import { retryStyles } from './load-style.ts';
import { isLostByReload, leaveUnasked } from './unsaved-input.ts';

/** Milliseconds before the second and the third try. */
const PAUSES = [300, 1500];

const FAILED_STYLE = /^Unable to preload CSS for (.+)$/;

type ImportCode<T> = () => Promise<T>;

/** The style sheet that an import failed for; without it the code is not shown. */
const missingStyle = new WeakMap<ImportCode<unknown>, string>();

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Imports code, with three tries; without a network one is enough.
 * @throws the error of the last try
 */
export async function loadCode<T>(importCode: ImportCode<T>, pause = wait): Promise<T> {
  for (const milliseconds of PAUSES) {
    try {
      return await importOnce(importCode);
    } catch (error) {
      noteUnanswered();
      if (isConnectionLost()) throw error;
      await pause(milliseconds);
    }
  }
  try {
    return await importOnce(importCode);
  } catch (error) {
    noteUnanswered();
    throw error;
  }
}

async function importOnce<T>(importCode: ImportCode<T>): Promise<T> {
  const failed = await retryStyles();
  const missing = missingStyle.get(importCode);
  if (missing !== undefined && failed.has(missing)) throw new Error(`Unable to load ${missing}`);
  try {
    return await importCode();
  } catch (error) {
    const style = error instanceof Error ? FAILED_STYLE.exec(error.message)?.[1] : undefined;
    if (style !== undefined) missingStyle.set(importCode, new URL(style, location.href).href);
    throw error;
  }
}

/** Imports code ahead of use; a failure is ignored. */
export function preloadCode(importCode: ImportCode<unknown>): void {
  void importOnce(importCode).catch(() => undefined);
}

const RELOADED_KEY = 'plugin-square:reloaded';
/** Another document is on its way; a reload would cancel it. */
let isLeaving = false;

/**
 * Reloads the page for code that is gone, as after a release: once for each build and tab, and only if no input is lost.
 * @returns whether it does
 */
export function reloadOnce(): boolean {
  if (isLeaving) return true;
  if (typeof document === 'undefined' || isConnectionLost() || isLostByReload()) return false;
  const build = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === build) return false;
    sessionStorage.setItem(RELOADED_KEY, build);
  } catch {
    // Without a memory it might never stop.
    return false;
  }
  isLeaving = true;
  leaveUnasked();
  location.reload();
  return true;
}

/**
 * The code of a navigation. Without a network the page stays until there is one; code that is gone has a newer version,
 * which the server has.
 * @param target the address to open; undefined while the document itself starts, and on the server
 * @throws the error of the last try, if there is no address
 */
export async function codeOfNavigation<T>(
  importCode: () => Promise<T>,
  target: () => string | undefined,
): Promise<T> {
  for (;;) {
    try {
      return await loadCode(importCode);
    } catch (error) {
      const address = target();
      if (isConnectionLost()) await whenBack();
      else if (address === undefined) throw error;
      else return openDocument(address);
    }
  }
}

function openDocument(address: string): Promise<never> {
  isLeaving = true;
  leaveUnasked();
  location.assign(address);
  return new Promise(() => undefined);
}
