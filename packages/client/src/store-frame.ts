/** Every message of either side carries these. */
const SIGNED = { source: 'plugin-square', version: 1 } as const;

/** What the store tells: `installed` and `uninstalled` after they happened, `open` when the user wants to run a plugin. */
export type StoreEventName = 'installed' | 'uninstalled' | 'open';

export type StoreFrame = {
  /** Shows the store in the tool's colours; `system` is what the device says. */
  setTheme(theme: 'light' | 'dark' | 'system'): void;
  /** Shows the store in a language that it has: `en-US`, `zh-CN`, `ja-JP`, `ko-KR`, `ru-RU`, `es-ES`. */
  setLanguage(language: string): void;
  /** Calls back with the key of a plugin. Returns a function that ends it. */
  on(name: StoreEventName, listener: (pluginKey: string) => void): () => void;
  /** Ends the connection; the frame stays as it is. */
  close(): void;
};

/** The part of a frame that is used here. */
type Frame = { src: string; contentWindow: Pick<Window, 'postMessage'> | null };

/** The part of the tool's window that is used here. */
type Around = {
  addEventListener(type: 'message', hear: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', hear: (event: MessageEvent) => void): void;
};

/**
 * Shows the store in a frame of the tool's page, and connects with it. The operator of the site has named the tool's origin in
 * `FRAME_ANCESTORS`. Messages are taken only from this frame while it shows `origin`, and sent only to that.
 * @param origin of the site, such as `https://plugins.example.com`
 */
export function connectStore(frame: Frame, origin: string, around: Around = window): StoreFrame {
  const listeners: Record<StoreEventName, Set<(pluginKey: string) => void>> = {
    installed: new Set(),
    uninstalled: new Set(),
    open: new Set(),
  };
  /** What the store is told again whenever it shows another document. */
  const settings = new Map<string, object>();
  let isReady = false;

  const tell = (message: object): void => frame.contentWindow?.postMessage({ ...SIGNED, ...message }, origin);
  function set(type: string, message: object): void {
    settings.set(type, message);
    if (isReady) tell(message);
  }
  function hear({ origin: from, source, data }: MessageEvent): void {
    if (from !== origin || source !== frame.contentWindow) return;
    if (data?.source !== SIGNED.source || data.version !== SIGNED.version) return;
    const type: unknown = data.type;
    if (type === 'ready') {
      isReady = true;
      for (const message of settings.values()) tell(message);
    } else if (isEventName(type) && typeof data.plugin_key === 'string') {
      for (const listener of listeners[type]) listener(data.plugin_key);
    }
  }
  const isEventName = (type: unknown): type is StoreEventName =>
    typeof type === 'string' && Object.hasOwn(listeners, type);

  around.addEventListener('message', hear);
  frame.src = new URL('/plugins/?embed=tool', origin).href;
  return {
    setTheme: (theme) => set('theme', { type: 'theme', theme }),
    setLanguage: (language) => set('language', { type: 'language', language }),
    on(name, listener) {
      listeners[name].add(listener);
      return () => void listeners[name].delete(listener);
    },
    close: () => around.removeEventListener('message', hear),
  };
}
