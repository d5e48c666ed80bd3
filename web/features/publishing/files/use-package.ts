import { useEffect, useRef, useState } from 'react';
import { isUsable } from '../../../../shared/package/finding-codes.ts';
import type { PackageReading } from '../../../../shared/package/package.ts';

/** Reads a package in the browser; rejects when it is aborted, or when the file cannot be read at all. */
export type ReadPackageFile = (file: File, signal: AbortSignal) => Promise<PackageReading>;

export type PackageState =
  | { state: 'none' }
  | { state: 'reading'; name: string }
  | { state: 'read'; name: string; reading: PackageReading }
  | { state: 'unreadable'; name: string };

/** Codes that say the file is no package file at all: it is not even kept. */
const NOT_JSON = 'NOT_JSON';

/** The package that is being looked at; a newer one takes the place of one that is still being read. */
export function usePackage(readFile: ReadPackageFile) {
  const [state, setState] = useState<PackageState>({ state: 'none' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** What was read; `superseded` when another file or none has taken its place, nothing when it is unreadable. */
  const read = async (file: File): Promise<PackageReading | 'superseded' | undefined> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ state: 'reading', name: file.name });
    try {
      const reading = await readFile(file, signal);
      if (signal.aborted) return 'superseded';
      setState({ state: 'read', name: file.name, reading });
      return reading;
    } catch {
      if (signal.aborted) return 'superseded';
      setState({ state: 'unreadable', name: file.name });
      return undefined;
    }
  };
  const clear = (): void => {
    running.current?.abort();
    setState({ state: 'none' });
  };
  return { state, read, clear };
}

/** The finding that says a file is no JSON, if that is what it is. */
export function notJson({ findings }: PackageReading) {
  return findings.find(({ code }) => code === NOT_JSON);
}

/** True when the package cannot be published as it is. */
export function isBroken(state: PackageState): boolean {
  return state.state === 'unreadable' || (state.state === 'read' && !isUsable(state.reading.findings));
}
