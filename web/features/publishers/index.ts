export { PublisherLink } from './publisher-link.tsx';
export { publisherPath } from './publisher-path.ts';
export { publisherPluginsQuery, publisherQuery, publisherSortOf } from './publisher-queries.ts';
export { VerifiedMark } from './verified-mark.tsx';
