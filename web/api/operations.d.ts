declare module 'virtual:operations' {
  import type { Operation } from '../../shared/contract.ts';
  import type { WireOperation } from './wire-operation.ts';

  /** What visitors' pages call, reduced to addresses (made by web/build/operations-plugin.ts). */
  export const operations: Readonly<Partial<Record<Operation, WireOperation>>>;
}

declare module 'virtual:all-operations' {
  import type { Operation } from '../../shared/contract.ts';
  import type { WireOperation } from './wire-operation.ts';

  /** Every operation of the contract. */
  export const operations: Readonly<Record<Operation, WireOperation>>;
}
