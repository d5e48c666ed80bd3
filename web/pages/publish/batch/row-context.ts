import { createContext, useContext } from 'react';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { BatchRow } from './batch-row.ts';
import type { Edit } from './batch-state.ts';
import type { Aside } from './row-edits.ts';

export type RowActions = {
  onEdit: (id: number, edit: Edit) => void;
  onReplace: (row: BatchRow, file: File) => void;
  onRemove: (id: number) => void;
  /** Opens the form of a row. */
  onOpen: (id: number) => void;
  /** Uses what was typed for another plugin, or forgets it. */
  onAside: (id: number, aside: Aside, does: 'take' | 'drop') => void;
  /** Checks all rows again that could not be checked. */
  onRecheck: () => void;
};

type RowFacts = RowActions & {
  row: BatchRow;
  /** All rows of the batch. */
  rows: readonly BatchRow[];
  /** What a row is called in labels: by its plugin, else by its file. */
  name: string;
  findings: readonly Finding[];
  /** The batch is being read or sent. */
  isLocked: boolean;
};

export const RowContext = createContext<RowFacts | undefined>(undefined);

/** The row of the table that a cell belongs to. */
export function useRow(): RowFacts {
  const facts = useContext(RowContext);
  if (!facts) throw new Error('RowContext is missing above this component.');
  return facts;
}

/** Names the first button of a row, which opens its form; of a file that is no package, the one that replaces it. */
export function firstButtonId(id: number): string {
  return `row-button-${id}`;
}
