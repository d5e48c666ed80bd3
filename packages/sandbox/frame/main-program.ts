import type { Change } from '../document.ts';
import type { HostMessage } from '../messages.ts';
import type { createChecks } from './checks.ts';
import type { createReplica } from './replica.ts';

/** From the worker of `main` to the frame document, besides what goes on to the host. */
export type MainMessage =
  | { kind: 'show'; html: string; width: number; height: number; title: string; isVisible: boolean }
  | { kind: 'resize'; width?: number; height?: number; isVisible?: boolean }
  | { kind: 'to-panel'; data: unknown };

/** From the frame document to the worker of `main`. */
export type ToMain = HostMessage | { kind: 'from-panel'; data: unknown };

type Parts = { createChecks: typeof createChecks; createReplica: typeof createReplica };

/**
 * The program of the worker in which `main` of a plugin runs: gives it `pixso`, and answers to the frame document by the port that
 * comes first. Its source is part of the frame, so it refers to nothing outside of itself.
 */
export function mainProgram({ createChecks, createReplica }: Parts, changesMax: number): void {
  // The policy of the frame wants every text that becomes code to pass here; in a worker it can do no harm.
  const policies = Reflect.get(globalThis, 'trustedTypes');
  policies.createPolicy('default', { createScript: (text: string) => text });

  const TEXT_MAX = 500;
  const short = (text: unknown): string => String(text).slice(0, TEXT_MAX);
  const SILENT: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor', 'valueOf', 'toString']);

  addEventListener(
    'message',
    ({ ports: [port] }) => {
      if (port)
        port.onmessage = ({ data }: MessageEvent<ToMain>) => data.kind === 'start' && begin(port, data);
    },
    { once: true },
  );

  function begin(port: MessagePort, start: Extract<HostMessage, { kind: 'start' }>): void {
    const { program, command, snapshot } = start;
    const reported = new Set<string>();
    const unsupported = (name: string): void => {
      if (reported.has(name) || reported.size >= 100) return;
      reported.add(name);
      send({ kind: 'unsupported', name: short(name) });
    };
    const changes: Change[] = [];
    const flush = (): void => {
      while (changes.length > 0)
        port.postMessage({ kind: 'changes', changes: changes.splice(0, changesMax) });
    };
    const send = (message: object): void => {
      flush();
      port.postMessage(message);
    };
    const change = (one: Change): void => {
      if (changes.length === 0) queueMicrotask(flush);
      const last = changes.at(-1);
      if (one.kind === 'set' && last?.kind === 'set' && last.id === one.id)
        last.values = { ...last.values, ...one.values };
      else changes.push(one);
    };
    const fail = (error: unknown, isFatal: boolean): void => {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : error;
      send({ kind: 'error', text: short(text), isFatal });
    };

    const replica = createReplica({ checks: createChecks(), snapshot, change, unsupported });
    const listeners = new Map<string, Set<(data?: unknown) => void>>();
    const emit = (event: string, data?: unknown): void => {
      for (const listener of listeners.get(event) ?? []) listener(data);
    };
    const EVENTS = ['selectionchange', 'currentpagechange', 'close', 'message'];
    const on = (event: string, listener: (data?: unknown) => void): void => {
      if (!EVENTS.includes(event)) unsupported(`on('${short(event)}')`);
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    };
    const off = (event: string, listener: (data?: unknown) => void): void => {
      listeners.get(event)?.delete(listener);
    };
    const once = (event: string, listener: (data?: unknown) => void): void => {
      const first = (data?: unknown): void => {
        off(event, first);
        listener(data);
      };
      on(event, first);
    };
    const stored = new Map<string, unknown>();

    /** Unknown names are reported; as in the design tools, options of theirs may be set. */
    const named = <T extends object>(prefix: string, members: T): T =>
      new Proxy(members, {
        get(target, key) {
          if (typeof key === 'string' && !(key in target) && !SILENT.has(key)) unsupported(prefix + key);
          return Reflect.get(target, key);
        },
        set(target, key, value) {
          if (typeof key === 'string' && !(key in target)) unsupported(prefix + key);
          return Reflect.set(target, key, value);
        },
      });

    type PanelOptions = { width?: number; height?: number; title?: string; visible?: boolean };
    type Listener = (data: unknown, properties: object) => void;
    const listener: { onmessage: Listener | undefined } = { onmessage: undefined };
    const ui = named(
      'ui.',
      Object.assign(listener, {
        postMessage: (data: unknown) => send({ kind: 'to-panel', data }),
        resize: (width: number, height: number) => send({ kind: 'resize', width, height }),
        show: () => send({ kind: 'resize', isVisible: true }),
        hide: () => send({ kind: 'resize', isVisible: false }),
        close: () => send({ kind: 'resize', isVisible: false }),
        on,
        off,
        once,
      }),
    );
    const api = named('', {
      editorType: 'pixso',
      command,
      currentPage: replica.page,
      viewport: named('viewport.', {
        center: { x: 0, y: 0 },
        zoom: 1,
        scrollAndZoomIntoView: () => undefined,
      }),
      clientStorage: named('clientStorage.', {
        getAsync: async (key: string) => structuredClone(stored.get(key)),
        setAsync: async (key: string, value: unknown) => void stored.set(key, structuredClone(value)),
        deleteAsync: async (key: string) => void stored.delete(key),
        keysAsync: async () => [...stored.keys()],
      }),
      ui,
      on,
      off,
      once,
      createFrame: () => replica.create('FRAME'),
      createRectangle: () => replica.create('RECTANGLE'),
      createEllipse: () => replica.create('ELLIPSE'),
      createText: () => replica.create('TEXT'),
      getNodeById: (id: string) => replica.find(id),
      getNodeByIdAsync: async (id: string) => replica.find(id),
      loadFontAsync: async () => undefined,
      showUI(html: string, { width = 300, height = 200, title = '', visible = true }: PanelOptions = {}) {
        send({ kind: 'show', html: String(html), width, height, title: short(title), isVisible: visible });
      },
      notify(text: unknown, { error = false }: { error?: boolean } = {}) {
        send({ kind: 'notify', text: short(text), isError: error });
        return { cancel: () => undefined };
      },
      closePlugin(text: unknown = '') {
        emit('close');
        send({ kind: 'closed', text: short(text) });
      },
    });
    Object.assign(globalThis, { pixso: api, figma: api, __html__: program.page, __uiFiles__: program.pages });

    port.onmessage = ({ data: message }: MessageEvent<ToMain>) => {
      if (message.kind === 'ping') port.postMessage({ kind: 'pong', nonce: message.nonce });
      if (message.kind === 'snapshot' && replica.replace(message.snapshot)) emit('selectionchange');
      if (message.kind === 'from-panel') {
        ui.onmessage?.(message.data, { origin: 'null' });
        emit('message', message.data);
      }
    };
    addEventListener('error', ({ error, message }) => fail(error ?? message, false));
    addEventListener('unhandledrejection', ({ reason }) => fail(reason, false));
    const evaluate = Reflect.get(globalThis, 'eval');
    try {
      // By another name it is a script of its own, whose names do not meet those of this function.
      evaluate(`${program.main}\n//# sourceURL=main.js`);
    } catch (error) {
      fail(error, true);
    }
  }
}
