import { infiniteQueryOptionsOf } from '../../api/queries.ts';

/** The viewer's own plugins, last changed first. */
export const ownPluginsQuery = () => infiniteQueryOptionsOf('listOwnPlugins', {});

/** Likes and installs on other pages don't update these lists, so they are refetched on mount. */
const FRESH = { staleTime: 0 };

/** The viewer's installed plugins, newest first. */
export const installedQuery = () => infiniteQueryOptionsOf('listInstalled', {}, FRESH);

/** The viewer's liked plugins, latest like first. */
export const likedQuery = () => infiniteQueryOptionsOf('listLiked', {}, FRESH);
