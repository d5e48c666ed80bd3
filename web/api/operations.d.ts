declare module 'virtual:operations' {
  import type { Operation } from '../../shared/contract.ts';
  import type { WireOperation } from './wire-operation.ts';

  /** Every operation of the contract, reduced to its address (made by web/build/operations-plugin.ts). */
  export const operations: Readonly<Record<Operation, WireOperation>>;
}
