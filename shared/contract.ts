import type { Route } from './route.ts';
import { authRoutes, userServiceRoutes } from './routes/auth.ts';
import { backstageRoutes } from './routes/backstage.ts';
import { collectRoutes } from './routes/collect.ts';
import { memberRoutes } from './routes/member.ts';
import { pluginRoutes } from './routes/plugin.ts';
import { publishRoutes } from './routes/publish.ts';
import { reportRoutes } from './routes/report.ts';
import { settingsRoutes } from './routes/settings.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { siteRoutes } from './routes/site.ts';

/**
 * Every operation, once, as data. Fastify's validation and serialisation, the gateway's list of what may pass,
 * the typed client, its query keys, the OpenAPI document and the loop tests all come from this table.
 */
export const contract = {
  ...pluginRoutes,
  ...siteRoutes,
  ...publishRoutes,
  ...reportRoutes,
  ...backstageRoutes,
  ...settingsRoutes,
  ...authRoutes,
  ...userServiceRoutes,
  ...signInRoutes,
  ...memberRoutes,
  ...collectRoutes,
} satisfies Record<string, Route>;

export type Contract = typeof contract;
export type Operation = keyof Contract;
