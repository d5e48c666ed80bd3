import { type ReactNode, useMemo } from 'react';
import { RunPendingAction } from '../features/plugins/plugin-mutation.tsx';
import { ViewerContext } from '../features/plugins/viewer-context.ts';
import { useSignIn } from '../features/session/ask-sign-in.ts';
import { takePendingAction } from '../features/session/pending-action-storage.ts';
import { useSession } from '../features/session/use-session.ts';

/** Provides the visitor and sign-in to the plugins inside; carries out the pending action after sign-in. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const { ask, answered } = useSignIn();
  const signedIn = status === 'unknown' ? undefined : status === 'signed-in';
  const viewer = useMemo(() => ({ signedIn, startSignIn: ask }), [signedIn, ask]);
  return (
    <ViewerContext value={viewer}>
      {signedIn && answered !== '' && (
        <RunPendingAction key={answered} take={() => takePendingAction(Date.now(), answered)} />
      )}
      {children}
    </ViewerContext>
  );
}
