import { queryOptionsOf } from '../../api/queries.ts';

/** The viewer's publish tokens, newest first. */
export const tokensQuery = () => queryOptionsOf('listPublishTokens', {});
