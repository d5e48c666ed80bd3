import { useIsInTool } from '../../api/in-tool.ts';
import { useSite } from '../../api/site-context.ts';
import { type BridgeWindow, tellTool } from './bridge.ts';
import type { StoreMessage } from './messages.ts';

/** The window of this page. */
export const bridgeWindow = (): BridgeWindow => window;

/** Tells the design tool around this page; undefined where there is none. */
export function useTool(): ((message: StoreMessage) => void) | undefined {
  const { tool_origins: origins } = useSite();
  const isInTool = useIsInTool();
  if (!isInTool || !origins) return undefined;
  return (message) => tellTool(bridgeWindow(), origins, message);
}
