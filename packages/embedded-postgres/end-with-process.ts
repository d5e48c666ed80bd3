import type { ChildProcess } from 'node:child_process';

/** Signals a child process when this process exits in any way but SIGKILL, such as by a second Ctrl-C or while it starts. */
export function endWithProcess(child: ChildProcess, signal: NodeJS.Signals): void {
  const end = (): void => void child.kill(signal);
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}
