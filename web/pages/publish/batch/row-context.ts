import { createContext, useContext } from 'react';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { BatchRow } from './batch-row.ts';
import type { BatchState } from './batch-state.ts';

export type RowActions = {
  change: (update: (now: BatchState) => BatchState) => void;
  onReplace: (row: BatchRow, file: File) => void;
  onOpen: (id: number) => void;
  onRecheck: () => void;
};

type RowOptions = RowActions & {
  row: BatchRow;
  rows: readonly BatchRow[];
  /** Name of a row in labels: its plugin, else its file. */
  name: string;
  findings: readonly Finding[];
  /** The batch is being read or sent. */
  isLocked: boolean;
};

export const RowContext = createContext<RowOptions | undefined>(undefined);

/** The table row of a cell. */
export function useRow(): RowOptions {
  const facts = useContext(RowContext);
  if (!facts) throw new Error('RowContext is missing above this component.');
  return facts;
}

/** Id of a row's first button, which opens its form; for an invalid file, the one that replaces it. */
export function firstButtonId(id: number): string {
  return `row-button-${id}`;
}
