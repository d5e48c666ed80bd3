import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';

/** Roles by their number as text, the widest rights last (specification section 4). */
export const ROLES = {
  '0': { key: '0', role: ROLE_USER, text: 'role_user' },
  '2': { key: '2', role: ROLE_ADMIN, text: 'role_admin' },
  '1': { key: '1', role: ROLE_SUPER_ADMIN, text: 'role_super' },
} as const;
