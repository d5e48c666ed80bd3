export { applyChanges, type Change, type NodeData, type Paint, type Snapshot } from './document.ts';
export { domainsOf, frameAddress } from './domains.ts';
export { type Program, type ProgramPackage, programOf } from './program.ts';
export { createSandbox, type Sandbox, type SandboxEvent, type SandboxOptions } from './sandbox.ts';
