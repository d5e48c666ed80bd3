import type { Logger } from 'pino';
import type { Language } from '../shared/languages.ts';

/** The first administrator as made on a first run; the password only where it may be shown. */
export type FirstAdmin = { email: string; passwordFile?: string; password?: string };

export type Notice = {
  address: string;
  firstAdmin?: FirstAdmin | undefined;
  /** Languages in which the tags are named that an empty catalogue was given, if it was. */
  firstTags?: readonly Language[] | undefined;
};

/**
 * Tells where the product is and, on a first run, how its administrator signs in: as plain lines on a terminal,
 * as log lines elsewhere. Of the first tags the log knows already. The password itself is shown on a terminal alone, never logged.
 */
export function showStartupBanner(
  notice: Notice,
  { log, terminal }: { log: Logger; terminal: { isTTY: boolean; write: (text: string) => unknown } },
): void {
  if (terminal.isTTY) {
    terminal.write(`\n${linesOf(notice).join('\n')}\n\n`);
    return;
  }
  log.info({ address: notice.address }, `Plugin Square is at ${notice.address}`);
  const admin = notice.firstAdmin;
  if (admin) log.info({ email: admin.email, password_file: admin.passwordFile }, signInLine(admin));
}

function linesOf({ address, firstAdmin, firstTags }: Notice): string[] {
  const lines = [`  Plugin Square is at ${address}`];
  if (firstTags) {
    lines.push('', `  There were no tags: a first set was added, with names in ${firstTags.join(', ')}`);
    lines.push('  Administrators change it in the backstage, under Tags');
  }
  if (!firstAdmin) return lines;
  lines.push('', `  ${signInLine(firstAdmin)}`);
  if (firstAdmin.password !== undefined) lines.push(`  Password, shown only now: ${firstAdmin.password}`);
  return lines;
}

function signInLine({ email, passwordFile }: FirstAdmin): string {
  const where =
    passwordFile === undefined ? 'the password of ADMIN_PASSWORD' : `the password in ${passwordFile}`;
  return `The first administrator signs in as ${email} with ${where}`;
}
