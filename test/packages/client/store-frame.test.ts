import t from 'tap';
import { connectStore } from '../../../packages/client/src/index.ts';

const SITE = 'https://square.example';
const READY = { source: 'plugin-square', version: 1, type: 'ready' };
const INSTALLED = { ...READY, type: 'installed', plugin_key: 'a' };

function newTool() {
  const sent: [message: unknown, target: unknown][] = [];
  const listeners = new Set<(event: MessageEvent) => void>();
  const contentWindow = {
    postMessage: (message: unknown, target: unknown) => void sent.push([message, target]),
  };
  const frame = { src: '', contentWindow };
  const store = connectStore(frame, SITE, {
    addEventListener: (_type, hear) => void listeners.add(hear),
    removeEventListener: (_type, hear) => void listeners.delete(hear),
  });
  const receive = (data: unknown, event: Partial<Record<'origin' | 'source', unknown>> = {}): void => {
    for (const hear of listeners)
      Reflect.apply(hear, undefined, [{ origin: SITE, source: contentWindow, data, ...event }]);
  };
  const heard: string[] = [];
  for (const name of ['installed', 'uninstalled', 'open'] as const)
    store.on(name, (key) => heard.push(`${name} ${key}`));
  return { store, frame, sent, receive, heard };
}

t.test('a tool sets colours and language whenever the store shows a document', async (t) => {
  const { store, frame, sent, receive } = newTool();
  t.equal(frame.src, `${SITE}/plugins/?embed=tool`);
  store.setTheme('light');
  store.setTheme('dark');
  t.strictSame(sent, [], 'not before the store is there: the frame may still show something else');
  receive(READY);
  const dark = [{ source: 'plugin-square', version: 1, type: 'theme', theme: 'dark' }, SITE];
  t.strictSame(sent.splice(0), [dark]);
  store.setLanguage('ja-JP');
  const japanese = [{ source: 'plugin-square', version: 1, type: 'language', language: 'ja-JP' }, SITE];
  t.strictSame(sent.splice(0), [japanese]);
  receive(READY);
  t.strictSame(sent, [dark, japanese], 'after a reload again');
});

t.test('a tool hears the store in its frame and nobody else', async (t) => {
  const { store, receive, heard } = newTool();
  receive(INSTALLED);
  receive({ ...INSTALLED, type: 'uninstalled' });
  receive({ ...INSTALLED, type: 'open' });
  t.strictSame(heard.splice(0), ['installed a', 'uninstalled a', 'open a']);
  receive(INSTALLED, { origin: 'https://evil.example' });
  receive(INSTALLED, { source: {} });
  receive({ ...INSTALLED, version: 2 });
  receive({ ...INSTALLED, source: 'other' });
  receive({ ...INSTALLED, type: 'toString' });
  receive({ ...INSTALLED, plugin_key: 7 });
  receive(null);
  receive('installed');
  store.close();
  receive(INSTALLED);
  t.strictSame(heard, []);
});
