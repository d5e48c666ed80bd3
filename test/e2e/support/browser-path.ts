import { installedProgram, notInstalled } from '../../support/programs.ts';

/** Chromium without a window takes a third less time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chrome-headless-shell',
];

export const NO_BROWSER = notInstalled('Chromium', 'chromium-headless-shell', 'fonts-noto-cjk');

/** The Chromium or Chrome that tests and benches drive: CHROME_PATH, or an installed one. */
export function findBrowserPath(): string | undefined {
  return process.env.CHROME_PATH ?? installedProgram(...NAMES);
}

/** The same where it has to be there. @throws Error that says what to install */
export function browserPath(): string {
  const path = findBrowserPath();
  if (path === undefined) throw new Error(NO_BROWSER);
  return path;
}
