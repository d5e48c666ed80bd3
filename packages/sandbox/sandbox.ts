import type { Change, Snapshot } from './document.ts';
import { frameAddress } from './domains.ts';
import { type FrameMessage, type HostMessage, isFrameMessage, PROTOCOL } from './messages.ts';
import { type ProgramPackage, programOf } from './program.ts';

/** Why a run is over: by the plugin itself, or because the sandbox has stopped it. */
export type EndReason =
  | 'closed'
  /** An error in `main` before it had set anything up. */
  | 'failed'
  /** It did not answer for some seconds, as in an endless loop. */
  | 'unresponsive'
  /** Too many messages or nodes. */
  | 'flood'
  /** A message that no plugin sends by the API. */
  | 'forged'
  /** The frame document did not load. */
  | 'unreachable'
  /** The frame document is of another version. */
  | 'version'
  /** The browser has no Trusted Types. */
  | 'browser';

export type SandboxEvent =
  | { kind: 'started' }
  | { kind: 'notify'; text: string; isError: boolean }
  /** Something of the design tools' API that the sandbox has not; each name once. */
  | { kind: 'unsupported'; name: string }
  | { kind: 'error'; text: string }
  /** The panel was shown, hidden or resized. */
  | { kind: 'panel'; isVisible: boolean; width: number; height: number; title: string }
  /** The frame has been removed. `text`: the plugin's last message, or the error. */
  | { kind: 'ended'; reason: EndReason; text: string };

export type SandboxOptions = {
  /** Address of the frame document, of another origin than the page's. */
  frame: string;
  /** The element that gets the frame; keep its content to the sandbox. */
  container: HTMLElement;
  /** A package whose digest has been checked. */
  package: ProgramPackage;
  /** What it may reach: `domainsOf` its manifest. */
  domains: readonly string[];
  /** Command of the manifest's menu that was chosen. */
  command?: string;
  document: {
    read(): Snapshot;
    /** Checked changes, for `applyChanges` or a model of the host's own. */
    apply(changes: readonly Change[]): void;
  };
  /** Title of the frame for screen readers. */
  title: string;
  onEvent(event: SandboxEvent): void;
  /** Seconds without an answer after which a plugin is stopped. */
  patience?: number;
};

export type Sandbox = {
  /** Ends the plugin and removes its frame; no event follows. */
  stop(): void;
  /** Gives the plugin the document again, after the user changed it or the selection. */
  refresh(): void;
};

const SECOND = 1000;
const PATIENCE = 5;
/** Seconds for the frame document to load. */
const LOADING = 15;
/** Changes of the document in one run. */
const CHANGES_MAX = 50_000;
const PANEL_MAX = 2000;

/**
 * Runs a plugin in a frame of another origin.
 * @throws Error if the package lacks a file of its manifest, or the frame would have the page's own origin
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { container, document: model, domains, onEvent, patience = PATIENCE } = options;
  const program = programOf(options.package);
  const address = frameAddress(options.frame, domains);
  if (new URL(address).origin === location.origin)
    throw new Error('The frame document needs another origin than the page.');
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = options.title;
  frame.referrerPolicy = 'no-referrer';
  resize(frame, { isVisible: false, width: 0, height: 0 });
  const { port1: port, port2 } = new MessageChannel();
  const send = (message: HostMessage): void => port.postMessage(message);

  let isFinished = false;
  let isReady = false;
  let nonce = '';
  /** Ticks since the frame or the plugin owed an answer. */
  let silence = 0;
  let changeCount = 0;

  function stop(): void {
    isFinished = true;
    clearInterval(ticks);
    port.close();
    frame.remove();
  }
  function end(reason: EndReason, text = ''): void {
    if (isFinished) return;
    stop();
    onEvent({ kind: 'ended', reason, text });
  }
  // Ticks are counted, not time: a computer that slept owes no answer.
  const ticks = setInterval(() => {
    silence += 1;
    if (!isReady) return silence > LOADING ? end('unreachable') : undefined;
    if (silence > patience) return end('unresponsive');
    if (nonce === '') {
      // `randomUUID` is not there on plain http.
      nonce = crypto.getRandomValues(new Uint32Array(4)).join('-');
      send({ kind: 'ping', nonce });
    }
  }, SECOND);

  const handlers: {
    [kind in FrameMessage['kind']]: (message: Extract<FrameMessage, { kind: kind }>) => void;
  } = {
    ready() {
      if (isReady) return end('forged');
      isReady = true;
      silence = 0;
      send({ kind: 'start', program, command: options.command ?? '', snapshot: model.read() });
      onEvent({ kind: 'started' });
    },
    pong(message) {
      if (message.nonce !== nonce) return end('forged');
      nonce = '';
      silence = 0;
    },
    changes({ changes }) {
      changeCount += changes.length;
      if (changeCount > CHANGES_MAX) return end('flood');
      model.apply(changes);
    },
    notify: onEvent,
    unsupported: onEvent,
    error({ text, isFatal }) {
      if (isFatal) end('failed', text);
      else onEvent({ kind: 'error', text });
    },
    panel(message) {
      resize(frame, message);
      onEvent(message);
    },
    closed: ({ text }) => end('closed', text),
    refused: ({ reason }) => end(reason),
  };
  port.onmessage = ({ data }) => {
    if (isFinished) return;
    if (isFrameMessage(data)) dispatch(handlers, data);
    else end('forged');
  };
  // The origin of the frame is opaque, so no target but any matches; nothing of the plugin runs in it yet.
  frame.addEventListener(
    'load',
    () => frame.contentWindow?.postMessage({ sandbox: PROTOCOL }, '*', [port2]),
    { once: true },
  );
  frame.src = address;
  container.append(frame);
  return {
    stop,
    refresh: () => isReady && !isFinished && send({ kind: 'snapshot', snapshot: model.read() }),
  };
}

type Handlers<K extends FrameMessage['kind']> = {
  [kind in K]: (message: Extract<FrameMessage, { kind: kind }>) => void;
};

function dispatch<K extends FrameMessage['kind']>(
  handlers: Handlers<K>,
  message: Extract<FrameMessage, { kind: K }>,
): void {
  const kind: K = message.kind;
  handlers[kind](message);
}

/** Stays in the layout while hidden: browsers stop what is not displayed. */
function resize(
  frame: HTMLIFrameElement,
  { isVisible, width, height }: { isVisible: boolean; width: number; height: number },
): void {
  const [shownWidth, shownHeight] = isVisible
    ? [width, height].map((size) => Math.min(size, PANEL_MAX))
    : [0, 0];
  Object.assign(frame.style, {
    border: '0',
    maxWidth: '100%',
    width: `${shownWidth}px`,
    height: `${shownHeight}px`,
  });
  frame.inert = !isVisible;
}
