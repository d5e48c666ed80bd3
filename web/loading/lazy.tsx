import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import { type LazyPart, useLazyPart } from './lazy-with-retry.ts';

export type PartFailureProps = {
  /** The part has no place of its own on the page: a popup, a dialog. */
  isLayer: boolean;
  onRetry: () => void;
};

/** What stands in place of a part that can't be loaded. */
export const PartFailureContext = createContext<ComponentType<PartFailureProps>>(() => null);

type LazyProps<T> = {
  part: LazyPart<T>;
  /** Shown until the part is there. */
  fallback?: ReactNode;
  /** For a part without a place on the page: called when it can't be loaded. */
  onFailed?: () => void;
  children: (code: T) => ReactNode;
};

/** Loads and shows a part. Where that fails, the page around it stays, and the part can be tried again. */
export function Lazy<T>({ part, fallback = null, onFailed, children }: LazyProps<T>) {
  const code = useLazyPart(part);
  const failures = useSyncExternalStore(part.subscribe, part.failures, part.failures);
  const [seen, setSeen] = useState(failures);
  const Failure = useContext(PartFailureContext);
  const isFailed = code === undefined && failures > seen;
  const tellFailed = useEffectEvent(() => onFailed?.());
  const retry = (): void => {
    setSeen(part.failures());
    part.load().catch(() => undefined);
  };
  const retryLater = useEffectEvent(retry);
  useEffect(() => {
    if (part.peek() === undefined) part.load().catch(() => undefined);
  }, [part]);
  useEffect(() => {
    if (!isFailed) return;
    tellFailed();
    const back = (): void => retryLater();
    addEventListener('online', back);
    return () => removeEventListener('online', back);
  }, [isFailed]);
  if (code !== undefined) return children(code);
  return isFailed ? <Failure isLayer={onFailed !== undefined} onRetry={retry} /> : fallback;
}
