import { type Static, Type } from 'typebox';
import { SOURCES } from '../constants.ts';
import { Nullable, PluginKey } from './base.ts';

/** Of those who installed a plugin in a week, how many still had it after as many weeks. */
const Kept = Nullable(Type.Integer());

/** What the publisher of a plugin may know of how it is found and used. Nothing of it tells of a person. */
export const Insights = Type.Object({
  plugin_key: PluginKey,
  /** Active installs; null until they were counted, at most a day after the publication. */
  active_count: Nullable(Type.Integer()),
  /** Of the days asked for. */
  source_list: Type.Array(
    Type.Object({
      source: Type.Enum(SOURCES),
      views: Type.Integer(),
      /** First installs of an account. */
      installs: Type.Integer(),
    }),
  ),
  /** Keywords from whose searches enough people opened the plugin, in each of the months of these days. */
  keyword_list: Type.Array(Type.Object({ keyword: Type.String(), people: Type.Integer() })),
  /** Newest first. */
  version_list: Type.Array(
    Type.Object({
      version: Type.String(),
      /** Active installs that get this version now. */
      active: Type.Integer(),
      /** In the days asked for. */
      uninstalls: Type.Integer(),
    }),
  ),
  /** The last weeks with enough installs, newest first; null where the time is not over. */
  cohort_list: Type.Array(
    Type.Object({
      /** Its Monday, YYYY-MM-DD in UTC. */
      week: Type.String(),
      installs: Type.Integer(),
      kept_1: Kept,
      kept_2: Kept,
      kept_4: Kept,
      kept_8: Kept,
    }),
  ),
});
export type Insights = Static<typeof Insights>;
