import { globSync, readFileSync } from 'node:fs';

/** Proportional set size of a process in MiB, which divides shared pages among their processes. */
function mebibytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

function parentsByPid(): Map<number, number> {
  const stats = globSync('/proc/[0-9]*/stat').flatMap((file): [number, number][] => {
    try {
      const text = readFileSync(file, 'utf8');
      return [[Number(text.split(' ', 1)[0]), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])]];
    } catch {
      return [];
    }
  });
  return new Map(stats);
}

/** Memory of the program and of its database with all its children. */
export function memoryOf(product: { pid: number }): { program: number; database: number } {
  const parents = parentsByPid();
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  const database = below(product.pid).reduce((sum, pid) => sum + mebibytesOf(pid), 0);
  return { program: mebibytesOf(product.pid), database };
}

/** Resident memory of a process in MiB, as `top` and container limits count it. */
export function residentOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}
