import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { BASE_PATH, ROLE_USER } from '../../../shared/constants.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import type { DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { RedirectToSignIn } from '../../features/session/redirect-to-sign-in.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { PageSkeleton } from '../page-skeleton.tsx';
import styles from './access-gate.module.css';
import { OtherUserDialog, SignedOutDialog } from './session-dialogs.tsx';
import { useKeptPage } from './use-kept-page.ts';

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
 * permission go to the page that says so (R 1.6). A page with input stays under a dialog when its session ends.
 */
export function AccessGate({ needs, placeholder = <PageSkeleton />, children }: AccessGateProps) {
  const { status, user } = useSession();
  const viewer = useQuery({ ...queryOptionsOf('verifyUser', {}), enabled: status === 'signed-in' });
  const isAway = status === 'anonymous' || Boolean(viewer.error && isUnauthenticated(viewer.error));
  const isAdmitted =
    status === 'signed-in' && !isAway && viewer.data !== undefined && HAS_ACCESS[needs](viewer.data);
  const { isKept, owner, noteInput, startOver } = useKeptPage(isAdmitted ? user : undefined);
  if (isAdmitted || isKept)
    return (
      <>
        <div key={owner?.user_id ?? user?.user_id} className={styles.page} onInput={noteInput}>
          {children}
        </div>
        {isKept &&
          (user ? <OtherUserDialog {...{ user, owner }} onStartOver={startOver} /> : <SignedOutDialog />)}
      </>
    );
  if (isAway) return <RedirectToSignIn>{placeholder}</RedirectToSignIn>;
  if (status === 'unknown') return placeholder;
  if (viewer.data || viewer.error?.status === 403) return <Forbidden />;
  if (viewer.error)
    return <QueryError error={viewer.error} busy={viewer.isFetching} onRetry={() => void viewer.refetch()} />;
  return placeholder;
}

function Forbidden() {
  return <Navigate to={`${BASE_PATH}403`} replace />;
}
