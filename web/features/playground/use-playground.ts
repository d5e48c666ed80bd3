import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  applyChanges,
  createSandbox,
  domainsOf,
  type ProgramPackage,
  type Sandbox,
  type SandboxEvent,
  type Snapshot,
} from '../../../packages/sandbox/index.ts';

type EndReason = Extract<SandboxEvent, { kind: 'ended' }>['reason'];

export type Run = {
  state: 'running' | 'stopped' | EndReason;
  /** What the plugin told last: a notification, its last message or an error. */
  message: string;
  /** Names of the design tools' API that are not here. */
  unsupported: readonly string[];
};

const START: Run = { state: 'running', message: '', unsupported: [] };

/** Nodes of the file. The page draws them all and lists them; many more would stop it. */
const NODES_MAX = 1000;

type Options = {
  origin: string;
  program: ProgramPackage;
  title: string;
  sample: () => Snapshot;
};

/** Runs a plugin on a file, from the first render on. */
export function usePlayground({ origin, program, title, sample }: Options) {
  const container = useRef<HTMLDivElement>(null);
  const sandbox = useRef<Sandbox>(undefined);
  const [file, setFile] = useState(sample);
  const latest = useRef(file);
  const [run, setRun] = useState(START);

  const show = (next: Snapshot): void => {
    latest.current = next;
    setFile(next);
  };
  const hear = (event: SandboxEvent): void => setRun((before) => after(before, event));
  const start = (): void => {
    sandbox.current?.stop();
    if (!container.current) return;
    setRun(START);
    sandbox.current = createSandbox({
      frame: `${origin}/`,
      container: container.current,
      package: program,
      domains: domainsOf(program.manifest),
      document: {
        read: () => latest.current,
        apply(changes) {
          const next = applyChanges(latest.current, changes);
          if (next.nodes.length <= NODES_MAX) return show(next);
          sandbox.current?.stop();
          setRun((before) => ({ ...before, state: 'flood' }));
        },
      },
      title,
      onEvent: hear,
    });
  };
  const startOnce = useEffectEvent(start);
  useEffect(() => {
    startOnce();
    return () => sandbox.current?.stop();
  }, []);

  return {
    container,
    file,
    run,
    start,
    stop() {
      sandbox.current?.stop();
      setRun((before) => ({ ...before, state: 'stopped' }));
    },
    reset() {
      show(sample());
      sandbox.current?.refresh();
    },
    select(id: string, isSelected: boolean) {
      const others = latest.current.selection.filter((one) => one !== id);
      show({ ...latest.current, selection: isSelected ? [...others, id] : others });
      sandbox.current?.refresh();
    },
  };
}

function after(run: Run, event: SandboxEvent): Run {
  if (event.kind === 'unsupported') return { ...run, unsupported: [...run.unsupported, event.name] };
  if (event.kind === 'ended') return { ...run, state: event.reason, message: event.text || run.message };
  if (event.kind === 'notify' || event.kind === 'error') return { ...run, message: event.text };
  return run;
}
