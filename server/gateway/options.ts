import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Perf } from 'lru-cache';
import type { Registry } from 'prom-client';
import type { ServerEntry } from '../../shared/boot.ts';
import type { DeployType } from '../../shared/deploy-types.ts';
import type { Language } from '../../shared/languages.ts';
import type { ClientTimeouts } from '../http/connections.ts';
import type { SessionLimits } from './session/session.ts';

/** The settings that the gateway reads, as `server/config.ts` has them; docs/configuration.md says what each means. */
export type GatewayConfig = {
  /** Of the running program. */
  version: string;
  deployType: DeployType;
  languages: readonly Language[];
  /** Origin that browsers see. */
  publicUrl: string;
  trustProxy: string[];
  login: {
    url: string;
    product: string;
    channel: string;
    from: string;
    uxMode: 'redirect' | 'popup' | 'auth';
    frame: 'auto' | 'yes' | 'no';
    allowUnsolicitedCode: boolean;
  };
  /** Who signs people in; the rest is for an OpenID Connect provider, which the settings have checked to be complete. */
  auth: {
    provider: 'user-service' | 'oidc';
    oidc: {
      issuer: string | undefined;
      clientId: string | undefined;
      clientSecret: string | undefined;
      scope: string;
    };
  };
  session: SessionLimits;
  extraCmtRoutes: string[];
  redisUrl: string | undefined;
  collectorUrl: string | undefined;
  rateLimitFactor: number;
  frameAncestors: string;
  /** Origin of the wider site, to which the links of the header lead; undefined where the marketplace stands alone. */
  siteUrl: string | undefined;
  appUrl: string | undefined;
  /** How the deployment looks; `logo` and `font` are paths of files. */
  brand: {
    name: string | undefined;
    color: string | undefined;
    logo: string | undefined;
    font: string | undefined;
  };
  /** Origins of pictures that services already run name by their address: avatars, covers of activities. */
  pictureOrigins: string[];
  embedUserAgents: string[];
  desktopUserAgent: string | undefined;
  protocolDir: string | undefined;
  developerDocsUrl: string | undefined;
  apiDocs: boolean;
  /** PEM of a private authority. */
  upstreams: {
    ca: string | undefined;
    /** Address of a user service that was there already. */
    identity: string | undefined;
  };
};

/** The web client: its server entry and the folder of its public files. */
export type Pages = {
  entry: ServerEntry;
  clientDir: string;
  /** In development: has the sources served, and no page is shared that was rendered before they changed. */
  serveSources?: (app: FastifyInstance) => void;
};

export type GatewayOptions = {
  config: GatewayConfig;
  /** Base addresses of the services behind; the gateway knows them by nothing else. */
  upstreams: { community: string; helpcenter: string; identity: string };
  /** Master keys of 32 bytes: the first encrypts, all decrypt. */
  keys: Buffer[];
  /** Folder in which ended sessions are stored where there is no Redis; without one a restart forgets them. */
  dataDir?: string;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Monotonic clock of what is cached and counted, if not the process's own. Milliseconds. */
  perf?: Perf;
  /** Absent: no HTML is served. */
  pages?: Pages | undefined;
  /** Where the figures are registered that the ops port shows. */
  registry?: Registry | undefined;
  /** Milliseconds after which a refresh that met a network error is tried again (specification section 8). */
  refreshRetryAfter?: number;
  /** Milliseconds that requests under way have to finish once the gateway is closed. */
  closeWithin?: number;
  /** How long clients may take to send. */
  timeouts?: ClientTimeouts;
  /** Told with each list of tags that comes from community whether there are any. */
  onTags?: ((hasTags: boolean) => void) | undefined;
};

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * What the gateway was created with. `publicUrl`: its address as browsers see it; `secure`: that is https;
     * `hasOwnHelp`: no help center was there already, so its calls go to community.
     */
    gateway: GatewayOptions & { publicUrl: URL; secure: boolean; hasOwnHelp: boolean };
  }
}

/** Gives every plugin the gateway's options. */
export const context = fp(
  async (app: FastifyInstance, options: GatewayOptions) => {
    const publicUrl = new URL(options.config.publicUrl);
    const { community, helpcenter } = options.upstreams;
    const secure = publicUrl.protocol === 'https:';
    app.decorate('gateway', { ...options, publicUrl, secure, hasOwnHelp: helpcenter === community });
  },
  { name: 'gateway' },
);
