import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Perf } from 'lru-cache';
import type { Registry } from 'prom-client';
import type { ServerEntry } from '../../shared/boot.ts';
import type { DeployType } from '../../shared/deploy-types.ts';
import type { Language } from '../../shared/languages.ts';
import type { ClientCredentials } from '../http/client-credentials.ts';
import type { SessionLimits } from './session/session.ts';
import { GATEWAY_TIMEOUTS, type GatewayTimeouts } from './timeouts.ts';

/** The gateway's part of the configuration in `server/config.ts`; documented in docs/configuration.md. */
export type GatewayConfig = {
  version: string;
  deployType: DeployType;
  languages: readonly Language[];
  /** The origin in browsers. */
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
  /** `oidc`: only for an OpenID Connect provider; the configuration has checked that it is complete. */
  auth: {
    provider: 'user-service' | 'oidc';
    oidc: {
      issuer: string | undefined;
      clientId: string | undefined;
      credentials: ClientCredentials;
      scope: string;
    };
  };
  session: SessionLimits;
  extraCmtRoutes: string[];
  redis: RedisAddress | undefined;
  collectorUrl: string | undefined;
  rateLimitFactor: number;
  /** Milliseconds; undefined: those of production. */
  timeouts: { community: number | undefined; userService: number | undefined };
  frameAncestors: string;
  /** Origins of design tools that may show this site inside of them; without any there is no such mode. */
  toolOrigins: string[];
  /** Another origin of this site, on which plugins run that visitors try; undefined: they cannot. */
  playgroundOrigin: string | undefined;
  /** Origin of the main site, for links in the page header; undefined if there is none. */
  siteUrl: string | undefined;
  appUrl: string | undefined;
  /** `logo` and `font` are file paths. */
  brand: {
    name: string | undefined;
    color: string | undefined;
    logo: string | undefined;
    font: string | undefined;
  };
  /** Origins of images (avatars, activity covers) that external services reference by URL. */
  pictureOrigins: string[];
  /** The design tools that run the plugins. */
  editors: { id: string; name: string; openUrl?: string | undefined }[];
  embedUserAgents: string[];
  desktopUserAgent: string | undefined;
  /** Origins of design tools whose pages may make the calls for tools. */
  clientOrigins: string[];
  /** Whether access tokens of a user service of another make are accepted from tools. */
  clientTokens: 'none' | 'user-service';
  protocolDir: string | undefined;
  developerDocsUrl: string | undefined;
  apiDocs: boolean;
  /** `ca`: PEM of a private CA; `identity`: URL of an external user service. */
  upstreams: {
    ca: string | undefined;
    identity: string | undefined;
  };
};

type Node = { host: string; port: number };

/** Where Redis is. `url`: a `redis:` or `rediss:` address, or the path of a socket; `name`: what Sentinel calls it. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | {
      kind: 'sentinel';
      nodes: readonly Node[];
      isEncrypted: boolean;
      name: string;
      db: number;
      username?: string;
      password?: string;
      sentinelUsername?: string;
      sentinelPassword?: string;
    }
  | { kind: 'cluster'; nodes: readonly Node[]; isEncrypted: boolean; username?: string; password?: string };

/** The web client. */
export type Pages = {
  entry: ServerEntry;
  clientDir: string;
  /** Development only: another server has the files, and rendered pages are not shared, because the sources may change. */
  fromSources?: true;
};

export type GatewayOptions = {
  config: GatewayConfig;
  /** Base URLs of the services. */
  upstreams: { community: string; helpcenter: string; identity: string };
  /** Authorization headers of calls to the services without a user's bearer, for those that get one. */
  credentials?: Partial<Record<'community' | 'helpcenter' | 'identity', string>>;
  /** Master keys of 32 bytes: the first encrypts, all of them decrypt. */
  keys: Buffer[];
  /** Folder for ended sessions if there is no Redis; without it a restart loses them. */
  dataDir?: string;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Monotonic clock of caches and rate limits, in milliseconds; by default `performance`. */
  perf?: Perf;
  /** Without it no HTML is served. */
  pages?: Pages | undefined;
  /** Metrics of the ops port. */
  registry?: Registry | undefined;
  /** Milliseconds for pending requests when the gateway is closed. */
  closeWithin?: number;
  /** Those of production by default. */
  timeouts?: Partial<GatewayTimeouts>;
  /** Called when the community's list of tags becomes empty or non-empty. */
  onTags?: ((hasTags: boolean) => void) | undefined;
  /** Called with the reason when a feature is degraded, and with undefined when it works again. */
  onDegraded?: ((feature: 'redis', reason: string | undefined) => void) | undefined;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** `secure`: the public URL uses https; `hasOwnHelp`: there is no external help center. */
    gateway: GatewayOptions & {
      timeouts: GatewayTimeouts;
      publicUrl: URL;
      secure: boolean;
      hasOwnHelp: boolean;
    };
  }
}

/** The limits of production, as configured. */
export function timeoutsOf({ config, timeouts }: GatewayOptions): GatewayTimeouts {
  const { community = GATEWAY_TIMEOUTS.community, userService = GATEWAY_TIMEOUTS.userService } =
    config.timeouts;
  return { ...GATEWAY_TIMEOUTS, community, userService, ...timeouts };
}

/** Decorates the app with the gateway's options. */
export const context = fp(
  async (app: FastifyInstance, options: GatewayOptions) => {
    const publicUrl = new URL(options.config.publicUrl);
    const { community, helpcenter } = options.upstreams;
    const secure = publicUrl.protocol === 'https:';
    const timeouts = timeoutsOf(options);
    app.decorate('gateway', {
      ...options,
      timeouts,
      publicUrl,
      secure,
      hasOwnHelp: helpcenter === community,
    });
  },
  { name: 'gateway' },
);
