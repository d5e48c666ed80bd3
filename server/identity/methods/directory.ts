import type { LoginMethod } from '../../../shared/entities/user.ts';
import type { Directory } from './method.ts';
import type { RoleMap } from './settings/common.ts';

type External = {
  method: LoginMethod;
  label?: string;
  roles?: RoleMap;
  creates_accounts?: boolean;
  e_id?: number;
  logout_mode?: 0 | 1;
  logout_url?: string;
};

/** What every method of another directory takes from its block. */
export function offerOf(settings: External, source: string) {
  const { method, label = null, logout_mode, logout_url = '' } = settings;
  const directory: Directory = {
    source,
    roles: settings.roles,
    createsAccounts: settings.creates_accounts ?? true,
    eId: settings.e_id,
  };
  const logout = logout_mode === undefined ? undefined : async () => ({ logout_mode, logout_url });
  return { name: method, source, label, directory, logout };
}
