import type { ReactNode } from 'react';
import { Link } from '../../routing/link.tsx';
import { pluginPath } from './plugin-path.ts';

type PluginLinkProps = { pluginKey: string; className?: string | undefined; children: ReactNode };

/** A link to a plugin's page; that page then knows that "back" returns to the list. */
export function PluginLink({ pluginKey, className, children }: PluginLinkProps) {
  return (
    <Link to={pluginPath(pluginKey)} state={{ fromList: true }} className={className}>
      {children}
    </Link>
  );
}
