import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { FinishChange } from '../features/plugins/finish-change.tsx';
import { loadPluginChange } from '../features/plugins/use-plugin-change.ts';
import { VisitorProvider } from '../features/plugins/visitor-context.ts';
import { useSignIn } from '../features/session/ask-sign-in.ts';
import { takeUnfinished } from '../features/session/unfinished.ts';
import { useSession } from '../features/session/use-session.ts';

const take = (): string | undefined => takeUnfinished(Date.now());

/** Tells the plugins inside who is looking, and how sign-in is asked for; afterwards does what was meant. */
export function VisitorGate({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const { ask, arrivals } = useSignIn();
  const Finish = useFinishChange(status === 'signed-in');
  const signedIn = status === 'unknown' ? undefined : status === 'signed-in';
  const visitor = useMemo(() => ({ signedIn, startSignIn: ask }), [signedIn, ask]);
  return (
    <VisitorProvider value={visitor}>
      {signedIn && Finish && <Finish key={arrivals} take={take} />}
      {children}
    </VisitorProvider>
  );
}

/** What does the meant, fetched once somebody is signed in; where it cannot be had the visitor does it again himself. */
function useFinishChange(isWanted: boolean): typeof FinishChange | undefined {
  const [loaded, setLoaded] = useState<typeof FinishChange>();
  useEffect(() => {
    if (!isWanted) return;
    loadPluginChange().catch(() => undefined);
    import('../features/plugins/finish-change.tsx').then(
      (module) => setLoaded(() => module.FinishChange),
      () => undefined,
    );
  }, [isWanted]);
  return loaded;
}
