import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** Rows of the last full runs, one JSON object a line, and the table that people read. */
const ROWS = new URL('../results.jsonl', import.meta.url);
const TABLE = new URL('../results.md', import.meta.url);
/** Test files run side by side; who could make this folder writes. */
const LOCK = new URL('../.results-lock', import.meta.url);
const LOOK_EVERY = 20;
const LONGEST_WAIT = 10_000;

export type Row = {
  /** What was done to what, as 'Redis: killed'. A later run replaces the row of the same fault. */
  fault: string;
  /** What visitors got meanwhile. */
  seen: string;
  /** What the log said. */
  logged: string;
  /** Requests that failed though they should not have, or writes that were acknowledged and are gone. */
  lost: number;
  /** From the end of the fault until all is as before; undefined where nothing was interrupted. */
  recovery_seconds?: number;
};

/** Whether faults are gone through at length and their figures kept. */
export const isFull = process.env.FAULTS === 'full';

/** Keeps a row for `test/faults/results.md`; a short run keeps nothing. */
export function record(row: Row): void {
  if (!isFull) return;
  lock();
  try {
    const rows = [...known().filter(({ fault }) => fault !== row.fault), row].sort((a, b) =>
      a.fault < b.fault ? -1 : 1,
    );
    writeFileSync(ROWS, rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
    writeFileSync(TABLE, table(rows));
  } finally {
    rmdirSync(LOCK);
  }
}

function known(): Row[] {
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
    'are gone. Recovery: seconds from the end of the fault until all is as before.',
    '',
    line(['fault', 'what visitors saw', 'what the log said', 'lost', 'recovery, s']),
    line(Array(5).fill('---')),
    ...rows.map(({ fault, seen, logged, lost, recovery_seconds: seconds }) =>
      line([fault, seen, logged, lost, seconds === undefined ? '–' : seconds.toFixed(1)]),
    ),
    '',
  ].join('\n');
}

/** What is written takes milliseconds; a lock that stays was left by a run that was killed. */
function lock(): void {
  for (let waited = 0; waited < LONGEST_WAIT; waited += LOOK_EVERY) {
    try {
      mkdirSync(LOCK);
      return;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY);
    }
  }
  throw new Error(
    'test/faults/.results-lock is there for long: remove it if no other run of faults goes on.',
  );
}
