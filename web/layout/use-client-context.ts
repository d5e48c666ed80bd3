import { useEffect, useSyncExternalStore } from 'react';
import type { Boot } from '../../shared/boot.ts';
import { useIsInTool } from '../api/in-tool.ts';
import { useSite } from '../api/site-context.ts';
import { tabStorage } from '../api/tab-storage.ts';

type ClientContext = Pick<Boot, 'client' | 'embedded'>;

/** Stored for the tab: only the first page's URL has them (R 11.13, R 11.15). */
const DESKTOP = 'client_desktop';
const EMBEDDED = 'embed_chat';

const never = (): (() => void) => () => undefined;

/** The client that shows the page: browser, desktop client or design tool, inside a workplace chat or not. */
export function useClientContext(): ClientContext {
  const { client, embedded } = useSite();
  const isDesktop = useStored(DESKTOP, client === 'desktop');
  const isEmbedded = useStored(EMBEDDED, embedded);
  const isInTool = useIsInTool() || client === 'tool';
  return { client: isInTool ? 'tool' : isDesktop ? 'desktop' : 'browser', embedded: isEmbedded };
}

/** True once it was true in this tab. */
function useStored(key: string, isTrueNow: boolean): boolean {
  const wasTrue = useSyncExternalStore(
    never,
    () => tabStorage().getItem(key) !== null,
    () => false,
  );
  useEffect(() => {
    if (isTrueNow) tabStorage().setItem(key, '1');
  }, [key, isTrueNow]);
  return isTrueNow || wasTrue;
}
