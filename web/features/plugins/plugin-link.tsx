import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { PLUGIN_PATH, pluginPath } from './plugin-path.ts';

type PluginLinkProps = { pluginKey: string; className?: string | undefined; children: ReactNode };

/**
 * A link to a plugin's page, which is told how many steps back the list is; links between plugins add one. A plugin that
 * was not reached from a list tells nothing. From a list to a page the cover moves (View Transitions).
 */
export function PluginLink({ pluginKey, className, children }: PluginLinkProps) {
  const { pathname, state } = useLocation();
  const isOnPlugin = pathname.startsWith(PLUGIN_PATH);
  const steps = isOnPlugin ? stepsFromList(state) : 0;
  return (
    <Link
      to={pluginPath(pluginKey)}
      state={steps === undefined ? undefined : { stepsFromList: steps + 1 }}
      className={className}
      viewTransition={!isOnPlugin}
    >
      {children}
    </Link>
  );
}

/** How many steps back the list is; undefined where the page was not reached from one. */
export function stepsFromList(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('stepsFromList' in state)) return undefined;
  return typeof state.stepsFromList === 'number' ? state.stepsFromList : undefined;
}
