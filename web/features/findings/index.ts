export { FindingList } from './finding-list.tsx';
export { findingOfDetail } from './findings.ts';
export { useFindingText } from './use-finding-text.ts';
