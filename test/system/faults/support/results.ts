import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** Rows of the last full runs as JSON lines, and the table made from them. */
const ROWS = new URL('../results.jsonl', import.meta.url);
const TABLE = new URL('../results.md', import.meta.url);
/** Test files run in parallel; the one that creates this folder may write. */
const LOCK = new URL('../.results-lock', import.meta.url);
const POLL_INTERVAL = 20;
const LOCK_TIMEOUT = 10_000;

export type Row = {
  /** For example 'Redis: killed'. A later run replaces the row of the same fault. */
  fault: string;
  /** What visitors saw. */
  seen: string;
  /** What was logged. */
  logged: string;
  /** Requests that should not have failed, or acknowledged writes that are lost. */
  lost: number;
  /** From the end of the fault to full recovery; undefined if nothing was interrupted. */
  recovery_seconds?: number;
};

/** Whether this is a full run, which stores its results. */
export const isFull = process.env.FAULTS === 'full';

/** Stores a row for `test/system/faults/results.md`; a short run stores nothing. */
export function record(row: Row): void {
  if (!isFull) return;
  lock();
  try {
    const rows = [...readRows().filter(({ fault }) => fault !== row.fault), row].sort((a, b) =>
      a.fault < b.fault ? -1 : 1,
    );
    writeFileSync(ROWS, rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
    writeFileSync(TABLE, table(rows));
  } finally {
    rmdirSync(LOCK);
  }
}

function readRows(): Row[] {
  if (!existsSync(ROWS)) return [];
  return readFileSync(ROWS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Row => JSON.parse(line));
}

function table(rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    '# Faults',
    '',
    'Made by `npm run test:faults`. Lost: requests that failed though they should not have, or acknowledged writes that',
    'are gone. Recovery: seconds from the end of the fault until full recovery.',
    '',
    line(['fault', 'what visitors saw', 'what the log said', 'lost', 'recovery, s']),
    line(Array(5).fill('---')),
    ...rows.map(({ fault, seen, logged, lost, recovery_seconds: seconds }) =>
      line([fault, seen, logged, lost, seconds === undefined ? '–' : seconds.toFixed(1)]),
    ),
    '',
  ].join('\n');
}

/** Writing takes milliseconds; a lock that stays belongs to a run that was killed. */
function lock(): void {
  for (let waited = 0; waited < LOCK_TIMEOUT; waited += POLL_INTERVAL) {
    try {
      mkdirSync(LOCK);
      return;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_INTERVAL);
    }
  }
  throw new Error(
    'test/system/faults/.results-lock exists for too long: remove it if no other test run uses it.',
  );
}
