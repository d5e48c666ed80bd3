import { type ReactNode, useMemo } from 'react';
import { VisitorProvider } from '../features/plugins/visitor-context.ts';
import { useAskSignIn } from '../features/session/ask-sign-in.ts';
import { useSession } from '../features/session/use-session.ts';

/** Tells the plugins inside who is looking, and how sign-in is asked for. */
export function VisitorGate({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const startSignIn = useAskSignIn();
  const visitor = useMemo(
    () => ({ signedIn: status === 'unknown' ? undefined : status === 'signed-in', startSignIn }),
    [status, startSignIn],
  );
  return <VisitorProvider value={visitor}>{children}</VisitorProvider>;
}
