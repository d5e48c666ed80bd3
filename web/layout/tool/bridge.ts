import { readToolMessage, SIGNED, type StoreMessage, type ToolMessage } from './messages.ts';

/** The page's window, as far as the bridge needs it. */
export type BridgeWindow = {
  parent: Pick<Window, 'postMessage'>;
  /** `ancestorOrigins`: of the pages around this one, the nearest first; not in every browser. */
  location: { ancestorOrigins?: ArrayLike<string> };
  addEventListener(type: 'message', hear: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', hear: (event: MessageEvent) => void): void;
};

/** Tells the design tool around this page, if it is one of `origins`: a message names its receiver, which the browser checks. */
export function tellTool(page: BridgeWindow, origins: readonly string[], message: StoreMessage): void {
  const around = page.location.ancestorOrigins?.[0];
  for (const origin of origins)
    if (around === undefined || around === origin) page.parent.postMessage({ ...SIGNED, ...message }, origin);
}

/** Hears what the page around this one says, if its origin is one of `origins`. Returns a function that ends it. */
export function hearTool(
  page: BridgeWindow,
  origins: readonly string[],
  hear: (message: ToolMessage) => void,
): () => void {
  const listener = ({ origin, source, data }: MessageEvent): void => {
    const message = source === page.parent && origins.includes(origin) ? readToolMessage(data) : undefined;
    if (message) hear(message);
  };
  page.addEventListener('message', listener);
  return () => page.removeEventListener('message', listener);
}
