import { queryOptionsOf } from '../../api/queries.ts';

export const bannersQuery = () => queryOptionsOf('listBanners', {});
