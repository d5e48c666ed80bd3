import type { InstalledPlugin } from '@plugin-square/client';
import { button, make } from './page.ts';

export type Actions = {
  run(plugin: InstalledPlugin): void;
  stop(): void;
  accept(plugin: InstalledPlugin, version: string): void;
};

const STATES: Readonly<Record<string, string>> = {
  active: 'Installed',
  update_offered: 'Update available',
  deprecated: 'No longer maintained',
  withdrawn: 'Withdrawn',
  trial: 'Your own test version',
  unavailable: 'Not available now',
};

const REASONS: Readonly<Record<string, string>> = {
  malware: 'it is harmful',
  vulnerable: 'it has a security hole',
  policy: 'it breaks the rules of the store',
  legal: 'there are legal reasons',
  publisher: 'its publisher asked for it',
};

/** Why a plugin was withdrawn, in words. */
export const reasonOf = (reason: string): string => REASONS[reason] ?? reason;

type Rights = { domains: readonly string[]; permissions: readonly string[] };

/** What a plugin may reach, in words. */
export function reachOf({ domains, permissions }: Rights): string {
  const all = domains.includes('*') ? ['every website'] : [...domains];
  return [...all, ...permissions].join(', ') || 'nothing outside of the drawing';
}

/** A plugin of the list. */
export function pluginItem(
  plugin: InstalledPlugin,
  { current, actions }: { current: string | undefined; actions: Actions },
): HTMLLIElement {
  const { plugin_key, name, version, state, update, withdrawal, runnable } = plugin;
  const isRunning = plugin_key === current;
  const item = make('li', make('h3', `${name} ${runnable?.version ?? version}`));
  item.append(make('p', STATES[state] ?? state));
  if (withdrawal) item.append(make('p', `${withdrawal.text} (${reasonOf(withdrawal.reason)})`));
  else item.append(make('p', `May reach: ${reachOf(plugin)}`));
  const buttons = make('div');
  buttons.className = 'actions';
  if (isRunning) buttons.append(button(`Stop ${name}`, actions.stop));
  else if (runnable) buttons.append(button(`Run ${name}`, () => actions.run(plugin)));
  if (update) {
    item.append(make('p', `Version ${update.version} also asks for: ${reachOf(update)}`));
    buttons.append(button(`Allow and update ${name}`, () => actions.accept(plugin, update.version)));
  }
  item.append(buttons);
  return item;
}
