import {
  connectStore,
  createClient,
  type InstalledPlugin,
  indexedDbStorage,
  isClientError,
} from '@plugin-square/client';
import { createDrawing } from './drawing.ts';
import { button, element, make } from './page.ts';
import { pluginItem, reasonOf } from './plugins.ts';
import { createRunner } from './runner.ts';
import { showDrawing } from './show-drawing.ts';

const SITE: string = import.meta.env.VITE_SITE;
const FRAMES: string = import.meta.env.VITE_FRAMES;
/** Seconds between two looks; a tool with many users asks every five minutes. */
const EVERY = 30;

const notice = element('notice', HTMLElement);
const list = element('plugins', HTMLElement);
const account = element('account', HTMLElement);
const say = (text: string): void => {
  notice.textContent = text;
};

const client = createClient({
  site: SITE,
  clientId: 'canvas',
  language: 'en-US',
  storage: indexedDbStorage(`plugins of ${SITE}`),
});
const drawing = createDrawing();
const runner = createRunner({
  frame: FRAMES,
  container: element('panel', HTMLElement),
  drawing,
  say,
  onChange: () => attempt(showPlugins),
});

/** What a failure means to the user. The other codes are refused packages, see the event. */
const TEXTS: Readonly<Record<string, string>> = {
  OFFLINE: 'The store cannot be reached. Your plugins go on working.',
  SITE_FAILED: 'The store could not do this. Try again later.',
  SIGNED_OUT: 'Your session has ended. Sign in again.',
  SIGN_IN_REFUSED: 'You did not allow Canvas to use your plugins.',
  SIGN_IN_INVALID: 'This sign-in is over. Try again.',
};

function attempt(work: () => Promise<unknown>): void {
  work().catch((error: unknown) => {
    if (!isClientError(error)) throw error;
    say(TEXTS[error.code] ?? error.message);
    if (error.code === 'SIGNED_OUT') attempt(showAccount);
  });
}

/** What the list shows, as JSON. */
let shown = '';

/** Without a change the list stays: a new button would lose the focus and a press that has begun. */
async function showPlugins(): Promise<void> {
  const plugins = await client.installed();
  const current = runner.current();
  const found = JSON.stringify({ plugins, current });
  if (found === shown) return;
  shown = found;
  const actions = {
    run: (plugin: InstalledPlugin) =>
      attempt(async () => runner.run(plugin, await client.open(plugin.plugin_key))),
    stop: runner.stop,
    accept: ({ plugin_key }: InstalledPlugin, version: string) =>
      attempt(async () => {
        await client.acceptUpdate(plugin_key, version);
        await showPlugins();
      }),
  };
  list.replaceChildren(...plugins.map((plugin) => pluginItem(plugin, { current, actions })));
}

async function showAccount(): Promise<void> {
  const isSignedIn = await client.isSignedIn();
  const signIn = async (): Promise<void> => {
    const redirectUri = `${location.origin}/`;
    const { url } = await client.beginSignIn({ redirectUri, scope: ['plugins:read', 'plugins:install'] });
    location.href = url;
  };
  const signOut = async (): Promise<void> => {
    runner.stop();
    await client.signOut();
    await Promise.all([showAccount(), showPlugins()]);
  };
  account.replaceChildren(
    isSignedIn ? button('Sign out', () => attempt(signOut)) : button('Sign in', () => attempt(signIn)),
  );
}

/** Stops a plugin that must not run any more as it is. */
function stopIfCurrent({ plugin_key }: InstalledPlugin): void {
  if (runner.current() === plugin_key) runner.stop();
}

client.on('installed', ({ plugin }) => say(`${plugin.name} is here.`));
client.on('removed', ({ plugin }) => {
  stopIfCurrent(plugin);
  say(`${plugin.name} was uninstalled.`);
});
client.on('update', ({ plugin, kind }) =>
  say(
    kind === 'applied'
      ? `${plugin.name} was updated to ${plugin.version}.`
      : `${plugin.name} has an update that asks for more.`,
  ),
);
client.on('withdrawn', ({ plugin, withdrawal }) => {
  if (withdrawal.must_stop) stopIfCurrent(plugin);
  say(`${plugin.name} was withdrawn, because ${reasonOf(withdrawal.reason)}.`);
});
client.on('refused', ({ plugin, error }) =>
  say(
    `${plugin.name} ${plugin.version} was refused: the package is not the one that was approved (${error.code}).`,
  ),
);

/** Asks the store at once: after a sign-in, on the button, and when the user comes back from another tab. */
async function sync(): Promise<void> {
  if (await client.isSignedIn()) await client.sync();
  await showPlugins();
}

/** Shows the store in a panel, in the colours of this page; what happens there is here at once. */
function showStore(): void {
  const place = element('store', HTMLElement);
  if (place.firstChild) return;
  const frame = make('iframe');
  frame.title = 'Store';
  place.append(frame);
  const connected = connectStore(frame, SITE);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const showColors = (): void => connected.setTheme(dark.matches ? 'dark' : 'light');
  showColors();
  dark.addEventListener('change', showColors);
  connected.setLanguage('en-US');
  for (const name of ['installed', 'uninstalled'] as const)
    connected.on(name, (key) => {
      say(`The store says: ${name} ${key}.`);
      attempt(sync);
    });
  connected.on('open', (key) => attempt(() => run(key)));
}

/** Runs a plugin that the user has opened in the store. */
async function run(key: string): Promise<void> {
  await sync();
  const plugin = (await client.installed()).find(({ plugin_key }) => plugin_key === key);
  if (plugin?.runnable) runner.run(plugin, await client.open(key));
}

async function start(): Promise<void> {
  const { searchParams } = new URL(location.href);
  if (searchParams.has('state')) {
    const address = location.href;
    // At once, so that a reload does not answer a second time.
    history.replaceState(null, '', '/');
    await client.completeSignIn(address);
  }
  await Promise.all([showAccount(), sync()]);
}

showDrawing(drawing);
const store = make('a', 'Open the store');
store.href = `${SITE}/plugins/`;
store.target = '_blank';
element('more', HTMLElement).append(
  store,
  ' ',
  button('Show the store here', showStore),
  ' ',
  button('Check for updates', () => attempt(sync)),
);
attempt(async () => {
  await showPlugins();
  await showAccount();
  await start();
});
setInterval(() => attempt(sync), EVERY * 1000);
