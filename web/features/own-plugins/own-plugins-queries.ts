import { infiniteQueryOptionsOf } from '../../api/queries.ts';

/** The viewer's own plugins, what changed last first. */
export const ownPluginsQuery = () => infiniteQueryOptionsOf('listOwnPlugins', {});

/** What the viewer has installed, newest first. */
export const installedQuery = () => infiniteQueryOptionsOf('listInstalled', {});
