import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';
import type { Role } from '../../../../shared/entities/user.ts';

/** Roles by rank, the widest rights last: their numbers say nothing of it (specification section 4). */
export const ROLES = [
  { value: '0', role: ROLE_USER, text: 'role_user' },
  { value: '2', role: ROLE_ADMIN, text: 'role_admin' },
  { value: '1', role: ROLE_SUPER_ADMIN, text: 'role_super' },
] as const;

/** A role as a list of choices names it. */
export type RoleValue = (typeof ROLES)[number]['value'];

export function roleOf(value: RoleValue): Role {
  return ROLES.find((one) => one.value === value)?.role ?? ROLE_USER;
}

/** Which text of the namespace `members` names a role. */
export function roleText(role: Role) {
  return ROLES.find((one) => one.role === role)?.text ?? 'role_user';
}
