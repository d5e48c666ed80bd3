/// <reference types="vite/client" />

declare module 'virtual:operations' {
  /** Every operation of the contract, reduced to its address (web/build/operations.ts). */
  export const operations: Readonly<
    Record<import('../shared/contract.ts').Operation, import('./api/wire-operation.ts').WireOperation>
  >;
}

declare module 'virtual:shapes' {
  /** How their answers are read; absent for files. */
  export const shapes: Readonly<
    Partial<Record<import('../shared/contract.ts').Operation, import('../shared/tolerant.ts').Shape>>
  >;
}

declare module 'virtual:texts/*' {
  type Texts = import('use-intl').Messages;

  /** Compiled texts of a language that every page shows (web/build/texts.ts). */
  const texts: Texts;
  export default texts;
  /** What fetches those of a folder of pages. */
  export const folders: Readonly<Record<string, () => Promise<{ default: Partial<Texts> }>>>;
}
