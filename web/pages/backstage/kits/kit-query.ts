import { queryOptionsOf } from '../../../api/queries.ts';

export const kitQuery = (id: number) => queryOptionsOf('readKit', { id }, { staleTime: 0 });
