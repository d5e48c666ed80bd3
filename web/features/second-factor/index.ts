export { ProofDialog, useOwnProof } from './proof-dialog.tsx';
