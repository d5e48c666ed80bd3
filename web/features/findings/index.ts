export { FindingList } from './finding-list.tsx';
export { findingOfDetail, useFindingText, useParsingFailure } from './findings.ts';
