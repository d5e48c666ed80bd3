/** The Chromium that tests and benches drive: CHROME_PATH, else Debian's. */
export function browserPath(): string {
  return process.env.CHROME_PATH ?? '/usr/bin/chromium';
}
