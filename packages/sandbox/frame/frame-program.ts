import type { FrameMessage } from '../messages.ts';
import type { MainMessage } from './main-program.ts';

type Sources = { main: string; prelude: string };
type Limits = { version: number; messagesPerSecond: number };

/**
 * The program of the frame document. It runs `main` of a plugin in a worker and shows its page in a frame inside of this one, and
 * passes messages on: between the two, and to the host, by the port that the host sends once. It runs no code of the plugin
 * itself. Its source is part of the document, so it refers to nothing outside of itself.
 */
export function frameProgram(sources: Sources, { version, messagesPerSecond }: Limits): void {
  const policies = Reflect.get(globalThis, 'trustedTypes');
  policies?.createPolicy('default', {
    createHTML: (text: string) => text,
    createScriptURL: (text: string) => text,
  });

  addEventListener('message', function begin({ source, data, ports: [host] }) {
    if (source !== parent || !host) return;
    removeEventListener('message', begin);
    const tell = (message: FrameMessage): void => host.postMessage(message);
    // Without Trusted Types the panel could not be kept from WebRTC.
    if (!policies) tell({ kind: 'refused', reason: 'browser' });
    else if (data?.sandbox !== version) tell({ kind: 'refused', reason: 'version' });
    else run(host, tell);
  });

  function run(host: MessagePort, tell: (message: FrameMessage) => void): void {
    const address = URL.createObjectURL(new Blob([sources.main], { type: 'text/javascript' }));
    const worker = new Worker(address);
    const { port1: main, port2 } = new MessageChannel();
    worker.postMessage('port', [port2]);

    let panel: HTMLIFrameElement | undefined;
    let shown = { width: 300, height: 200, title: '', isVisible: false };
    /** Messages for a page that is still loading. */
    let waiting: unknown[] | undefined;
    const end = (): void => {
      worker.terminate();
      panel?.remove();
    };

    let second = 0;
    let count = 0;
    const isFlood = (): boolean => {
      const now = Math.floor(performance.now() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      return count > messagesPerSecond;
    };
    const limited =
      (handle: (event: MessageEvent) => void) =>
      (event: MessageEvent): void => {
        if (isFlood()) {
          end();
          tell({ kind: 'refused', reason: 'flood' });
        } else handle(event);
      };

    const toPanel = (data: unknown): void => {
      if (waiting) waiting.push(data);
      // The origin of the panel is opaque: no other target than any would match, and nothing can navigate it elsewhere.
      else panel?.contentWindow?.postMessage({ pluginMessage: data }, '*');
    };
    const show = ({ html, ...options }: Extract<MainMessage, { kind: 'show' }>): void => {
      panel?.remove();
      panel = document.createElement('iframe');
      panel.setAttribute('sandbox', 'allow-scripts');
      panel.srcdoc = sources.prelude + html.replaceAll(/srcdoc/gi, 'src_doc');
      waiting = [];
      panel.onload = () => {
        const late = waiting ?? [];
        waiting = undefined;
        for (const data of late) toPanel(data);
      };
      document.body.append(panel);
      resize(options);
    };
    const resize = ({ width, height, isVisible, title }: Partial<typeof shown>): void => {
      shown = {
        width: width ?? shown.width,
        height: height ?? shown.height,
        isVisible: isVisible ?? shown.isVisible,
        title: title ?? shown.title,
      };
      if (panel) panel.title = shown.title;
      tell({ kind: 'panel', ...shown });
    };
    main.onmessage = limited(({ data: message }: MessageEvent<MainMessage | FrameMessage>) => {
      if (message.kind === 'show') show(message);
      else if (message.kind === 'resize') resize(message);
      else if (message.kind === 'to-panel') toPanel(message.data);
      else host.postMessage(message);
      if (message.kind === 'closed') end();
    });
    addEventListener(
      'message',
      limited(({ source, data }) => {
        if (!panel || source !== panel.contentWindow) return;
        if (typeof data === 'object' && data !== null && 'pluginMessage' in data)
          main.postMessage({ kind: 'from-panel', data: data.pluginMessage });
      }),
    );
    host.onmessage = ({ data }) => main.postMessage(data);
    tell({ kind: 'ready' });
  }
}
