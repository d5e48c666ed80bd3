import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import type { RoleMap } from '../methods/settings/common.ts';

const ROLES = { user: ROLE_USER, admin: ROLE_ADMIN, super_admin: ROLE_SUPER_ADMIN } as const;
const HIGHEST_FIRST = ['super_admin', 'admin', 'user'] as const;

/** The highest role of the groups; undefined where the deployment does not let groups decide. */
export function roleOf(groups: readonly string[], map: RoleMap | undefined): Role | undefined {
  if (map === undefined) return undefined;
  const known = new Map(Object.entries(map).map(([group, role]) => [group.toLowerCase(), role]));
  const given = new Set(groups.map((group) => known.get(group.toLowerCase())));
  return ROLES[HIGHEST_FIRST.find((role) => given.has(role)) ?? 'user'];
}
