import type { Logger } from 'pino';
import type { Language } from '../../shared/languages.ts';

/** The administrator that was created on the first start; `password` is only set if it may be shown. */
export type FirstAdmin = { email: string; passwordFile?: string; password?: string };

export type Notice = {
  version: string;
  address: string;
  firstAdmin?: FirstAdmin | undefined;
  /** Languages of the tags that were added to an empty catalogue, if any. */
  firstTags?: readonly Language[] | undefined;
};

type Outputs = { log: Pick<Logger, 'info'>; terminal: { isTTY: boolean; write: (text: string) => unknown } };

/** A line about work in the background: plain on a terminal, else in the log. */
export function tellOperator(line: string, { log, terminal }: Outputs): void {
  if (terminal.isTTY) terminal.write(`  ${line}\n`);
  else log.info(line);
}

/**
 * Shows the address and, on the first start, how the administrator signs in: plain lines on a terminal, else log lines.
 * The password is only shown on a terminal and never logged; the first tags are in the log already.
 */
export function showStartupBanner(notice: Notice, { log, terminal }: Outputs): void {
  if (terminal.isTTY) {
    terminal.write(`\n${linesOf(notice).join('\n')}\n\n`);
    return;
  }
  log.info({ address: notice.address }, firstLine(notice));
  const admin = notice.firstAdmin;
  if (admin) log.info({ email: admin.email, password_file: admin.passwordFile }, signInLine(admin));
}

const firstLine = ({ version, address }: Notice): string => `Plugin Square ${version} is at ${address}`;

function linesOf(notice: Notice): string[] {
  const { firstAdmin, firstTags } = notice;
  const lines = [`  ${firstLine(notice)}`];
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
