import type { ToolScope } from '../../../shared/entities/tool.ts';
import type { Route } from '../../../shared/route.ts';
import { authRoutes } from '../../../shared/routes/auth.ts';

/** What a page inside a design tool may do for its user; never publishing. */
export const IN_TOOL_SCOPES: readonly ToolScope[] = ['plugins:read', 'plugins:install'];

/** Whether the session of a page inside a design tool is good for a call: that of the Client API, and who is signed in. */
export function isOpenInTool(route: Route | undefined): boolean {
  if (route === authRoutes.readSession) return true;
  return route?.client === true && route.scope !== undefined && IN_TOOL_SCOPES.includes(route.scope);
}
