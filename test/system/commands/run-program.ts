import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Outcome = { code: number; out: string; err: string };

/** Runs a program for operators as its npm script does. */
export function runOperatorProgram(
  program: string,
  settings: Record<string, string>,
  ...words: string[]
): Promise<Outcome> {
  const path = fileURLToPath(new URL(`../../../server/commands/${program}.ts`, import.meta.url));
  const env = { PATH: process.env.PATH, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...words], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}
