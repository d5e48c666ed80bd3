import { HELP, type Options, readOptions } from './options.ts';
import { type Finding, tryCalls } from './try-calls.ts';

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const isBroken = ({ lacks }: Finding): boolean => lacks.some(({ required }) => required);

function markOf(finding: Finding): string {
  if (finding.untried !== undefined) return '–';
  if (isBroken(finding)) return '✗';
  return finding.lacks.length > 0 ? '~' : '✓';
}

/** Prevents a service from writing control characters to the terminal. */
const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

function linesOf(finding: Finding): string {
  const head = `${markOf(finding)} ${finding.call}`;
  const why = finding.untried === undefined ? '' : `: ${finding.untried}`;
  const lacks = finding.lacks.map(({ kind, required, place, text }) => {
    const where = place === '' ? '' : `${place} `;
    return `\n    ${required ? 'required' : 'optional'}, ${kind}: ${where}${text}`;
  });
  return plain(`${head}${why}`) + lacks.map((lack) => `\n${plain(lack.slice(1))}`).join('');
}

/** Exits with a message if the command line is invalid or asks for help. */
function parseCommandLine(): Options {
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    if (options) return options;
    print(HELP.trimEnd());
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(2);
  }
}

const options = parseCommandLine();
const findings = await tryCalls(options, (finding) => {
  if (!options.json) print(linesOf(finding));
});
const counted = (mark: string): number => findings.filter((finding) => markOf(finding) === mark).length;
const total = {
  whole: counted('✓'),
  standing_in: counted('~'),
  broken: counted('✗'),
  not_tried: counted('–'),
};
print(
  options.json
    ? JSON.stringify({ ...total, findings }, null, 2)
    : `\n${total.whole} complete, ${total.standing_in} with defaults, ${total.broken} broken, ${total.not_tried} not tried`,
);
process.exit(total.broken === 0 ? 0 : 1);
