export { FindingList } from './finding-list.tsx';
export { findingOfDetail, useFindingText } from './findings.ts';
