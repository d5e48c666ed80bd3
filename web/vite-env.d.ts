/// <reference types="vite/client" />

declare module 'virtual:operations' {
  /** URL of every operation of the contract (web/build/operations.ts). */
  export const operations: Readonly<
    Record<import('../shared/contract.ts').Operation, import('./api/wire-operation.ts').WireOperation>
  >;
}

declare module 'virtual:shapes' {
  /** Shapes of their responses; absent for files. */
  export const shapes: Readonly<
    Partial<Record<import('../shared/contract.ts').Operation, import('../shared/tolerant.ts').Shape>>
  >;
}

declare module 'virtual:texts/*' {
  type Texts = import('use-intl').Messages;

  /** Compiled messages of a language that every page shows (web/build/texts.ts). */
  const texts: Texts;
  export default texts;
  /** Imports of the message chunks by page folder. */
  export const folders: Readonly<Record<string, () => Promise<{ default: Partial<Texts> }>>>;
}
