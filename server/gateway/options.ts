import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Perf } from 'lru-cache';
import type { Registry } from 'prom-client';
import type { ServerEntry } from '../../shared/boot.ts';
import type { DeployType } from '../../shared/deploy-types.ts';
import type { Language } from '../../shared/languages.ts';
import type { ClientTimeouts } from '../http/slow-bodies.ts';
import type { SessionLimits } from './session/session.ts';

/** The settings the gateway reads (design section 9), in the form the program's settings have. */
export type GatewayConfig = {
  /** Of the running program. */
  version: string;
  deployType: DeployType;
  languages: readonly Language[];
  /** Origin that browsers see. */
  publicUrl: string;
  /** Addresses or ranges of proxies in front. */
  trustProxy: string[];
  login: {
    url: string;
    product: string;
    channel: string;
    from: string;
    uxMode: 'redirect' | 'popup' | 'auth';
    /** Whether the login page may stand in a frame of this site; `auto`: as its own headers say. */
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
  /** `METHOD /path` patterns that pass beside the contract. */
  extraCmtRoutes: string[];
  /** Address of a Redis that gateways share, if they do. */
  redisUrl: string | undefined;
  /** Base address of the analytics collector, if there is one. */
  collectorUrl: string | undefined;
  /** Multiplies the limits of requests; 0 sets none. */
  rateLimitFactor: number;
  /** Sources of the CSP directive. */
  frameAncestors: string;
  /** Origin of the wider site, to which the links of the header lead; undefined where the marketplace stands alone. */
  siteUrl: string | undefined;
  /** Address of the design tool, where it has one of its own. */
  appUrl: string | undefined;
  /** Origins of pictures that services already run name by their address: avatars, covers of activities. */
  pictureOrigins: string[];
  /** Parts of user agents: those of workplace chats, and that of the desktop client. */
  embedUserAgents: string[];
  desktopUserAgent: string | undefined;
  /** Folder with the deployment's own texts of the protocol page. */
  protocolDir: string | undefined;
  /** Address of the deployment's own documentation for developers. */
  developerDocsUrl: string | undefined;
  /** Whether the pages that describe the calls are there. */
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
