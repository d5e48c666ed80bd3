/** Tables that the service itself fills and empties every few seconds from what the others say. */
export const SETTLED_TABLES = [
  'popularity_change',
  'tally',
  'tally_change',
  'day_figure',
  'figure_change',
  'search_pending',
  'submission_search',
  'waiting_search',
];
