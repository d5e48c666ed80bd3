import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { type Collected, pendingCollectText } from '../features/plugins/collected.ts';
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

/**
 * Provides the visitor, sign-in and their collections to the plugins inside; carries out the pending action after sign-in.
 */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const isAdmin = useIsAdmin();
  const { ask, answered, isOpen } = useSignIn();
  const [collected, setCollected] = useState<Collected>();
  const [pendingDialog, setPendingDialog] = useState<string>();
  const signedIn = status === 'unknown' ? undefined : status === 'signed-in';
  const collect = useCallback(
    (plugin: Collected, title: string) => {
      if (signedIn) setCollected(plugin);
      else ask(pendingCollectText(plugin), title);
    },
    [signedIn, ask],
  );
  const onDialogOpened = useCallback(() => setPendingDialog(undefined), []);
  const viewer = useMemo(
    () => ({ signedIn, startSignIn: ask, collect, pendingDialog, onDialogOpened }),
    [signedIn, ask, collect, pendingDialog, onDialogOpened],
  );
  const close = (): void => setCollected(undefined);
  return (
    <ViewerContext value={viewer}>
      {signedIn && answered !== '' && !isOpen && (
        <RunPendingAction
          key={answered}
          take={() => takePendingAction(Date.now(), answered)}
          onCollect={setCollected}
          onOpen={setPendingDialog}
        />
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
