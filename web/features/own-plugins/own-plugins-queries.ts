import { infiniteQueryOptionsOf } from '../../api/queries.ts';

/** The viewer's own plugins, what changed last first. */
export const ownPluginsQuery = () => infiniteQueryOptionsOf('listOwnPlugins', {});

/** Installing and liking happen on other pages, which tell these lists nothing: who opens one has it loaded again. */
const FRESH = { staleTime: 0 };

/** What the viewer has installed, newest first. */
export const installedQuery = () => ({ ...infiniteQueryOptionsOf('listInstalled', {}), ...FRESH });

/** What the viewer likes, the latest like first. */
export const likedQuery = () => ({ ...infiniteQueryOptionsOf('listLiked', {}), ...FRESH });
