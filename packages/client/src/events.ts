import type { ClientError } from './errors.ts';
import type { InstalledPlugin } from './packages.ts';
import type { CatalogueChange, InstalledItem } from './wire.ts';

/** Why an administrator withdrew something, and whether it must stop running now. */
export type WithdrawalNotice = Pick<
  NonNullable<InstalledItem['withdrawal']>,
  'reason' | 'must_stop' | 'withdrawn_at'
>;

/** What happens to the plugins of the person, each told once. */
export type ClientEvents = {
  /** A plugin can be run now: it was installed here or on another device, and its package was checked. */
  installed: { plugin: InstalledPlugin };
  /**
   * `applied`: another version is run from now on. `offered`: a newer one asks for more rights, which `plugin.update` names;
   * the user decides, and `acceptUpdate` accepts.
   */
  update: { plugin: InstalledPlugin; kind: 'applied' | 'offered' };
  /** Stop it if `withdrawal.must_stop`, and say why. */
  withdrawn: { plugin: InstalledPlugin; withdrawal: WithdrawalNotice };
  /** The plugin was uninstalled, here or elsewhere. */
  removed: { plugin: InstalledPlugin };
  /** A package did not pass its check and is not run; an earlier one that did is kept. */
  refused: { plugin: InstalledPlugin; error: ClientError };
  /** The catalogue has changed; `isRestart`: these are all plugins, so forget those of earlier. */
  changes: { changes: readonly CatalogueChange[]; isRestart: boolean };
};

export type ClientEventName = keyof ClientEvents;
export type Told = { [N in ClientEventName]: { name: N; detail: ClientEvents[N] } }[ClientEventName];

type On = <N extends ClientEventName>(
  name: N,
  listener: (detail: ClientEvents[N]) => void,
  options?: { signal?: AbortSignal },
) => void;

/** A listener that throws disturbs neither others nor the client: the platform reports its error. */
export function createEvents(): { on: On; tell: (events: readonly Told[]) => void } {
  const target = new EventTarget();
  return {
    on(name, listener, options = {}) {
      target.addEventListener(
        name,
        (event) => {
          if (event instanceof CustomEvent) listener(event.detail);
        },
        options,
      );
    },
    tell(events) {
      for (const { name, detail } of events) target.dispatchEvent(new CustomEvent(name, { detail }));
    },
  };
}
