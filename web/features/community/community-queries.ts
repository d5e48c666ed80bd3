import { ACTIVITY_ID } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';

export const worksQuery = () => queryOptionsOf('listFeaturedWorks', {});
export const activityQuery = () => queryOptionsOf('readActivity', { activity_id: ACTIVITY_ID });
