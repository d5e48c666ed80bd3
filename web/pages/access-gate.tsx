import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { BASE_PATH, ROLE_USER } from '../../shared/constants.ts';
import { isUnauthenticated } from '../api/api-error.ts';
import type { DataFor } from '../api/client.ts';
import { queryOptionsOf } from '../api/queries.ts';
import { QueryError } from '../features/plugins/query-error.tsx';
import { ToSignIn } from '../features/session/to-sign-in.tsx';
import { useSession } from '../features/session/use-session.ts';
import { PageSkeleton } from './page-skeleton.tsx';

type Need = 'user' | 'publisher' | 'admin';

type AccessGateProps = {
  /** Who may see the children. */
  needs: Need;
  /** Shown until the viewer is known. */
  placeholder?: ReactNode;
  children: ReactNode;
};

const HAS_ACCESS: Readonly<Record<Need, (viewer: DataFor<'verifyUser'>) => boolean>> = {
  user: () => true,
  publisher: ({ may_publish }) => may_publish,
  admin: ({ role }) => role !== ROLE_USER,
};

/**
 * Shows a page only to users with access. Visitors, also after an HTTP 401, go to sign-in and return; users without
 * permission go to the page that says so (R 1.6).
 */
export function AccessGate({ needs, placeholder = <PageSkeleton />, children }: AccessGateProps) {
  const { status } = useSession();
  const viewer = useQuery({ ...queryOptionsOf('verifyUser', {}), enabled: status === 'signed-in' });
  if (status === 'anonymous' || (viewer.error && isUnauthenticated(viewer.error)))
    return <ToSignIn>{placeholder}</ToSignIn>;
  if (status === 'unknown') return placeholder;
  if (viewer.data) return HAS_ACCESS[needs](viewer.data) ? children : <Forbidden />;
  if (viewer.error?.status === 403) return <Forbidden />;
  if (viewer.error)
    return <QueryError error={viewer.error} busy={viewer.isFetching} onRetry={() => void viewer.refetch()} />;
  return placeholder;
}

function Forbidden() {
  return <Navigate to={`${BASE_PATH}403`} replace />;
}
