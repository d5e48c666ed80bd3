import type { VerifiedPackage } from '@plugin-square/client';
import { createSandbox, type Sandbox } from 'plugin-square-sandbox';
import type { Drawing } from './drawing.ts';

/** Runs one plugin at a time. */
export type Runner = {
  /** Key of the plugin that runs. */
  current(): string | undefined;
  run(plugin: { plugin_key: string; name: string }, verified: VerifiedPackage): void;
  stop(): void;
};

type Settings = {
  /** Address of the frame document. */
  frame: string;
  container: HTMLElement;
  drawing: Drawing;
  say: (text: string) => void;
  /** A plugin was started or is over. */
  onChange: () => void;
};

export function createRunner({ frame, container, drawing, say, onChange }: Settings): Runner {
  let running: { key: string; sandbox: Sandbox } | undefined;
  drawing.onChange((by) => {
    if (by === 'user') running?.sandbox.refresh();
  });
  function stop(): void {
    if (!running) return;
    running.sandbox.stop();
    running = undefined;
    onChange();
  }
  return {
    current: () => running?.key,
    stop,
    run({ plugin_key, name }, { bytes, approval }) {
      stop();
      const sandbox = createSandbox({
        frame,
        container,
        package: JSON.parse(new TextDecoder().decode(bytes)),
        // What the user has accepted and an administrator has approved, not what the package says of itself.
        domains: approval.domains,
        document: drawing,
        title: `Panel of ${name}`,
        onEvent(event) {
          if (event.kind === 'notify') say(`${name}: ${event.text}`);
          if (event.kind === 'unsupported') say(`${name} asks for ${event.name}, which is not here.`);
          if (event.kind === 'error') say(`${name} has an error: ${event.text}`);
          if (event.kind !== 'ended') return;
          running = undefined;
          if (event.reason !== 'closed') say(`${name} was stopped: ${event.reason}. ${event.text}`);
          onChange();
        },
      });
      running = { key: plugin_key, sandbox };
      onChange();
    },
  };
}
