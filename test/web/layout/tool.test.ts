import t from 'tap';
import { type BridgeWindow, hearTool, tellTool } from '../../../web/layout/tool/bridge.ts';
import { readToolMessage, type ToolMessage } from '../../../web/layout/tool/messages.ts';
import { toldChanges } from '../../../web/layout/tool/told-changes.ts';

const CANVAS = 'https://canvas.example';
const OTHER = 'https://other.example';
const DARK = { source: 'plugin-square', version: 1, type: 'theme', theme: 'dark' };

/** A page in a frame, as its bridge sees it. */
function newPage(ancestorOrigins?: string[]) {
  const sent: [message: unknown, target: unknown][] = [];
  const listeners = new Set<(event: MessageEvent) => void>();
  const parent = { postMessage: (message: unknown, target: unknown) => void sent.push([message, target]) };
  const page: BridgeWindow = {
    parent,
    location: ancestorOrigins ? { ancestorOrigins } : {},
    addEventListener: (_type, hear) => void listeners.add(hear),
    removeEventListener: (_type, hear) => void listeners.delete(hear),
  };
  const receive = (event: Partial<Record<'origin' | 'source' | 'data', unknown>>): void => {
    const whole = { origin: CANVAS, source: parent, data: DARK, ...event };
    for (const hear of listeners) Reflect.apply(hear, undefined, [whole]);
  };
  return { page, sent, receive };
}

t.test('what a page inside a design tool hears', async (t) => {
  const { page, receive } = newPage();
  const heard: ToolMessage[] = [];
  const end = hearTool(page, [CANVAS], (message) => heard.push(message));
  receive({});
  receive({ data: { ...DARK, type: 'language', language: 'ja-JP' } });
  t.strictSame(heard.splice(0), [
    { type: 'theme', theme: 'dark' },
    { type: 'language', language: 'ja-JP' },
  ]);
  for (const [about, forged] of [
    ['another origin', { origin: OTHER }],
    ['an origin that only begins alike', { origin: `${CANVAS}.evil.example` }],
    ['the same host without TLS', { origin: 'http://canvas.example' }],
    ['a frame without an origin', { origin: 'null' }],
    ['another window of the tool', { source: {} }],
    ['no window', { source: null }],
    ['another version', { data: { ...DARK, version: 2 } }],
    ['a version as text', { data: { ...DARK, version: '1' } }],
    ['another source', { data: { ...DARK, source: 'plugin' } }],
    ['an unknown message', { data: { ...DARK, type: 'install' } }],
    ['a name that every object has', { data: { ...DARK, type: 'constructor' } }],
    ['an unknown theme', { data: { ...DARK, theme: 'pink' } }],
    ['a theme that is an object', { data: { ...DARK, theme: { toString: () => 'dark' } } }],
    ['an unknown language', { data: { ...DARK, type: 'language', language: 'tlh' } }],
    ['a text', { data: JSON.stringify(DARK) }],
    ['nothing', { data: null }],
  ] as const) {
    receive(forged);
    t.strictSame(heard, [], about);
  }
  end();
  receive({});
  t.strictSame(heard, [], 'it has ended');
  t.strictSame(readToolMessage({ ...DARK, extra: '<script>' }), { type: 'theme', theme: 'dark' });
});

t.test('what it says goes to the tool around it and to nobody else', async (t) => {
  const ready = { source: 'plugin-square', version: 1, type: 'ready' };
  const told = (around?: string[]) => {
    const { page, sent } = newPage(around);
    tellTool(page, [CANVAS, OTHER], { type: 'ready' });
    return sent;
  };
  t.strictSame(told([CANVAS]), [[ready, CANVAS]]);
  t.strictSame(told([OTHER, CANVAS]), [[ready, OTHER]], 'the nearest page');
  t.strictSame(told(['https://evil.example', CANVAS]), [], 'a page of another site between');
  t.strictSame(
    told(),
    [
      [ready, CANVAS],
      [ready, OTHER],
    ],
    'a browser that does not tell who is around: it delivers to the right one only',
  );
});

t.test('changes that a tool is told of', async (t) => {
  t.strictSame(toldChanges('installPlugin', { payload: { plugin_key: 'a' }, data: {} }), [
    { type: 'installed', plugin_key: 'a' },
  ]);
  t.strictSame(toldChanges('uninstallPlugin', { payload: { plugin_key: 'a' }, data: {} }), [
    { type: 'uninstalled', plugin_key: 'a' },
  ]);
  t.strictSame(
    toldChanges('moveToSuccessor', { payload: { plugin_key: 'a', successor_key: 'b' }, data: {} }),
    [
      { type: 'installed', plugin_key: 'b' },
      { type: 'uninstalled', plugin_key: 'a' },
    ],
  );
  t.strictSame(toldChanges('installDefaults', { payload: {}, data: { plugin_keys: ['a', 'b'] } }), [
    { type: 'installed', plugin_key: 'a' },
    { type: 'installed', plugin_key: 'b' },
  ]);
  t.strictSame(toldChanges('readPlugin', { payload: { plugin_key: 'a' }, data: {} }), []);
});
