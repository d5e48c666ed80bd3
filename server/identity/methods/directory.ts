import type { LoginMethod } from '../../../shared/entities/user.ts';
import type { Directory, DocumentService } from './method.ts';
import type { RoleMap } from './settings/common.ts';

type External = {
  method: LoginMethod;
  label?: string;
  roles?: RoleMap;
  creates_accounts?: boolean;
  e_id?: number;
  e_name?: string;
  document_service?: Partial<DocumentService> & Pick<DocumentService, 'app_name'>;
  logout_mode?: 0 | 1;
  logout_url?: string;
};

/** The one document-service case that links name when they name none of their own. */
const DOCUMENTS = 'tencent_docs';

/** What every method of another directory takes from its block. */
export function offerOf(settings: External, source: string) {
  const { method, logout_mode, logout_url = '', document_service } = settings;
  const label = settings.label ?? document_service?.app_name ?? null;
  const directory: Directory = {
    source,
    roles: settings.roles,
    createsAccounts: settings.creates_accounts ?? true,
    eId: settings.e_id,
    eName: settings.e_name,
    documentService: document_service && { ux_from: DOCUMENTS, login_source_id: source, ...document_service },
  };
  const logout = logout_mode === undefined ? undefined : async () => ({ logout_mode, logout_url });
  return { name: method, source, label, directory, logout };
}
