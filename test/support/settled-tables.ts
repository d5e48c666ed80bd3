/** Tables that the service fills and empties every few seconds from other tables. */
export const SETTLED_TABLES = [
  'popularity_change',
  'tally',
  'tally_change',
  'day_figure',
  'figure_change',
  'search_pending',
  'submission_search',
  'waiting_search',
  'catalogue_note',
  'catalogue_change',
  'catalogue_revision',
  'similar_plugin',
  'similar_round',
  'plugin_trend',
  'trend_round',
];
