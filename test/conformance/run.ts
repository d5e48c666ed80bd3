import { checks } from './checks.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { type Result, runChecks } from './runner.ts';

const MARKS = { passed: '✓', failed: '✗', 'not seen': '–' } as const;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function line({ id, title, outcome, reason }: Result): string {
  return `${MARKS[outcome]} ${id}: ${title}${reason === undefined ? '' : `\n    ${reason}`}`;
}

/** Parses the command line; an error ends the program with a message. */
function optionsOrEnd(): Options {
  try {
    const options = readOptions(process.argv.slice(2));
    const unknown = options.only.filter((id) => !checks.some((check) => check.id === id));
    if (unknown.length === 0) return options;
    throw new Error(`No check is called ${unknown.join(', ')}; --list names them.`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(2);
  }
}

const { subject, only, mode, json } = optionsOrEnd();
const chosen = checks.filter(({ id }) => only.length === 0 || only.includes(id));
if (mode !== 'run') {
  print(mode === 'help' ? HELP : chosen.map(({ id, title }) => `${id}: ${title}`).join('\n'));
  process.exit(0);
}
const results = await runChecks(subject, chosen, (result) => {
  if (!json) print(line(result));
});
const count = (outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;
const total = { passed: count('passed'), failed: count('failed'), not_seen: count('not seen') };
print(
  json
    ? JSON.stringify({ ...total, results }, null, 2)
    : `\n${total.passed} passed, ${total.failed} failed, ${total.not_seen} not seen`,
);
process.exit(total.failed === 0 ? 0 : 1);
