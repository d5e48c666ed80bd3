import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { RunPendingAction } from '../features/plugins/plugin-mutation.tsx';
import { ViewerContext } from '../features/plugins/viewer-context.ts';
import { useSignIn } from '../features/session/ask-sign-in.ts';
import { takePendingAction } from '../features/session/pending-action-storage.ts';
import { useIsAdmin, useSession } from '../features/session/use-session.ts';
import { Lazy } from '../loading/lazy.tsx';
import { lazyWithRetry } from '../loading/lazy-with-retry.ts';

const collectDialog = lazyWithRetry(
  async () => (await import('../features/collections/collect-dialog.tsx')).CollectDialog,
);

type Collected = { plugin_key: string; name: string };

/**
 * Provides the visitor, sign-in and their collections to the plugins inside; carries out the pending action after sign-in.
 */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const isAdmin = useIsAdmin();
  const { ask, answered } = useSignIn();
  const [collected, setCollected] = useState<Collected>();
  const signedIn = status === 'unknown' ? undefined : status === 'signed-in';
  const collect = useCallback(
    (plugin: Collected, title: string) => {
      if (signedIn) setCollected(plugin);
      else ask(undefined, title);
    },
    [signedIn, ask],
  );
  const viewer = useMemo(() => ({ signedIn, startSignIn: ask, collect }), [signedIn, ask, collect]);
  const close = (): void => setCollected(undefined);
  return (
    <ViewerContext value={viewer}>
      {signedIn && answered !== '' && (
        <RunPendingAction key={answered} take={() => takePendingAction(Date.now(), answered)} />
      )}
      {children}
      {collected && (
        <Lazy part={collectDialog} onFailed={close}>
          {(CollectDialog) => (
            <CollectDialog
              pluginKey={collected.plugin_key}
              name={collected.name}
              isEditor={isAdmin}
              onClose={close}
            />
          )}
        </Lazy>
      )}
    </ViewerContext>
  );
}
