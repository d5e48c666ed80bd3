import type { KeyObject } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Perf } from 'lru-cache';
import { Registry } from 'prom-client';
import { ACCESS_TOKEN_TYPE } from '../../shared/user-service.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import { serviceAuthorization } from '../http/service-credential.ts';
import type { UpdatePolicy } from './catalogue/installations/update-age.ts';
import { type JapaneseReader, openJapaneseReader } from './catalogue/japanese/reader.ts';
import type { Signing } from './catalogue/transparency/approvals.ts';
import { createProve, type Prove } from './catalogue/verification/proof.ts';
import type { SiteSettings } from './curation/site/store.ts';
import type { AccountSettings } from './curation/third-party-accounts/routes.ts';
import { type FileStore, openFolderStore } from './files/media/files.ts';
import { openPictures, type Pictures } from './files/media/pictures.ts';
import { type CommunityMetrics, countAnswers, createCommunityMetrics } from './metrics.ts';
import { noteActivity } from './people/activity/activity.ts';
import { openProofCheck } from './people/auth/dpop.ts';
import { createEndedToolList, type EndedToolList } from './people/auth/ended-tools.ts';
import { authorizeCalls } from './people/auth/guard.ts';
import {
  type AskIdentity,
  createIdentityClient,
  type OwnerRights,
  type RightsSource,
  rightsByIdentity,
  rightsByLastSeen,
} from './people/auth/owner-rights.ts';
import { openTokenReader } from './people/auth/token.ts';
import type { Publishers } from './people/policy.ts';
import type { PublishQuotas } from './publishing/publish/limits.ts';
import type { CommunityTables, Db } from './schema.ts';
import { loadSecretEncryptor } from './secrets.ts';
import { COMMUNITY_TIMEOUTS, type CommunityTimeouts } from './timeouts.ts';

export type CommunityOptions = {
  /** Connections with the schema `community`; the caller closes them after the app. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The clock of caches; the process's own by default. */
  perf?: Perf;
  /** Folder of running uploads, of generated keys and, without `files`, of the stored files. */
  dataDir: string;
  files?: FileStore;
  /** Address of the public keys of access tokens. */
  jwksUrl: string;
  /** Issuer of the access tokens of tools: the site's public address. Without it tools are refused. */
  toolIssuer?: string | undefined;
  /** Base URL of the user service, which confirms the rights of publish tokens. */
  identityUrl: string;
  /**
   * Keys of the credential between our services (setting SERVICE_KEYS): the first is sent, and hashes viewers; all are accepted.
   */
  serviceKeys: readonly Buffer[];
  /** If the user service supports our own calls; it does by default. */
  publishRights?: RightsSource;
  /** PEM of a private certificate authority of the identity service. */
  ca?: string | undefined;
  publishers: Publishers;
  /** Address of the site, which signs approvals (setting PUBLIC_URL). */
  publicUrl: string;
  /** The key for it (setting APPROVAL_KEY); by default one that the database keeps. */
  approvalKey?: KeyObject | undefined;
  /** If earlier and imported approvals are signed in the background; they are by default. */
  signsEarlier?: boolean;
  /** If administrators may review their own submissions (setting REVIEW_OWN_SUBMISSIONS). */
  reviewsOwn?: boolean;
  /** If a second administrator confirms withdrawals (setting WITHDRAW_FOUR_EYES); not by default. */
  fourEyes?: boolean;
  /** How old versions must be before people get them (settings UPDATE_MIN_AGE and UPDATE_AGE_CHOICE); no age by default. */
  updates?: UpdatePolicy;
  /** Ids of the design tools that packages may name (setting EDITORS); any by default. */
  editors?: readonly string[];
  /** Rate limits and quota of publishers (settings PUBLISH_LIMITS and PUBLISHER_QUOTA). */
  publishing: PublishQuotas;
  /** Which parts of the site its settings fill; null if another program serves the pages. */
  siteSettings?: SiteSettings | null;
  /** Where the metrics go. */
  registry?: Registry;
  /** Called at the start, and on changes, with whether visitors see any tags. */
  onTags?: (hasTags: boolean) => void;
  /** Origins of external pictures in help articles (setting PICTURE_ORIGINS). */
  pictureOrigins?: readonly string[];
  /** If missing covers are generated in the background; they are by default. */
  makesCovers?: boolean;
  /** Whether users are told of withdrawals and deprecations in the background. */
  tellsInstallers?: boolean;
  /** Address of the name server that is asked for proofs of domains (setting VERIFY_RESOLVER); those of the system by default. */
  verifyResolver?: string | undefined;
  /** Looks for the proof of a domain; over the network by default. */
  prove?: Prove;
  /** If the proved domains of publishers are checked again in the background; they are by default. */
  rechecksDomains?: boolean;
  /** If changes of accounts are read from the user service in the background; they are by default. */
  followsAccounts?: boolean;
  /** Reads Japanese; by default with a dictionary that is loaded when it is needed. */
  japanese?: JapaneseReader;
  /** If Japanese names are read in the background; they are by default. */
  readsNames?: boolean;
  /** Vendor addresses of third-party accounts, and if services may read the accounts. */
  accounts?: AccountSettings;
  /**
   * Proxies whose X-Forwarded-For is trusted: the gateway, on the same machine by default.
   */
  trustProxy?: string[];
  /** Those of production by default. */
  timeouts?: Partial<CommunityTimeouts>;
};

/** What the settings say, and what is made of them once. */
export type CommunitySettings = Pick<
  CommunityOptions,
  'perf' | 'ca' | 'editors' | 'publishers' | 'publishing' | 'accounts' | 'onTags' | 'toolIssuer'
> & {
  /** If the user service is ours, with calls of our own. */
  isOurs: boolean;
  reviewsOwn: boolean;
  fourEyes: boolean;
  updates: UpdatePolicy;
  signing: Signing;
  signsEarlier: boolean;
  makesCovers: boolean;
  tellsInstallers: boolean;
  followsAccounts: boolean;
  prove: Prove;
  /** Whether domains below suffixes that nobody has listed can be proved, as in private networks. */
  anySuffix: boolean;
  rechecksDomains: boolean;
  japanese: JapaneseReader;
  readsNames: boolean;
  pictureOrigins: readonly string[];
  siteSettings: SiteSettings | null;
  /** Of the credential between our services; also hashes viewers. */
  key: Buffer;
  rights: OwnerRights;
  endedTools: EndedToolList;
  /** Asks the user service whether it sends mail; administrators wait for the answer. */
  askMailSetting: AskIdentity;
  registry: Registry;
  metrics: CommunityMetrics;
  /** Logs what a worker said after its task was given up. */
  onLateFailure: (error: unknown) => void;
};

declare module 'fastify' {
  interface FastifyInstance {
    db: Db;
    /** Stored pictures, videos and packages. */
    files: FileStore;
    pictures: Pictures;
    /** Calls the user service. */
    identityClient: AskIdentity;
    /** Milliseconds since 1970. */
    clock: () => number;
    /** Folder of running uploads and of generated keys. */
    dataDir: string;
    community: CommunitySettings;
  }
}

const RIGHTS = { identity: rightsByIdentity, 'last-seen': rightsByLastSeen } as const;

/** What all areas use, and who may call them. */
export const context = fp(
  async (app: FastifyInstance, options: CommunityOptions) => {
    const { log, now, perf, ca, identityUrl, serviceKeys, publishRights = 'identity' } = options;
    const db = openKysely<CommunityTables>(options.pool);
    const files = options.files ?? openFolderStore(options.dataDir);
    const timeouts = { ...COMMUNITY_TIMEOUTS, ...options.timeouts };
    const [key] = serviceKeys;
    if (!key) throw new Error('SERVICE_KEYS has no key.');
    const isOurs = publishRights === 'identity';
    // A user service of another make is none of ours.
    const credential = isOurs ? serviceAuthorization(key, { from: 'community', to: 'identity' }) : undefined;
    const askWithin = (timeout: number) => createIdentityClient({ identityUrl, ca, credential, timeout });
    const identityClient = askWithin(timeouts.identity);
    const rights = RIGHTS[publishRights]({ ask: identityClient, now, perf });
    const signing = {
      issuer: options.publicUrl,
      given: options.approvalKey,
      encryptor: loadSecretEncryptor('approval keys', {
        configured: options.accounts?.keys,
        dataDir: options.dataDir,
      }),
    };
    const endedTools = createEndedToolList(now);
    const registry = options.registry ?? new Registry();
    const metrics = createCommunityMetrics(registry);
    app
      .decorate('db', db)
      .decorate('files', files)
      .decorate('pictures', openPictures(files))
      .decorate('identityClient', identityClient)
      .decorate('clock', now)
      .decorate('dataDir', options.dataDir)
      .decorate('community', {
        reviewsOwn: false,
        fourEyes: false,
        updates: { days: 0, choice: 'any' },
        makesCovers: true,
        signsEarlier: true,
        tellsInstallers: true,
        followsAccounts: true,
        prove: createProve({ resolver: options.verifyResolver }),
        anySuffix: options.verifyResolver !== undefined,
        rechecksDomains: true,
        japanese: openJapaneseReader({ log, now }),
        readsNames: true,
        pictureOrigins: [],
        siteSettings: null,
        ...options,
        ...{ signing, isOurs, key, rights, endedTools, registry, metrics },
        askMailSetting: askWithin(timeouts.mailSetting),
        onLateFailure: (err) => log.warn({ err }, 'a check failed after its answer'),
      });
    countAnswers(app, metrics);
    const typ = isOurs ? ACCESS_TOKEN_TYPE : undefined;
    const { jwksUrl: url, toolIssuer } = options;
    const { readToken, jwks } = openTokenReader(
      { url, ca, timeout: timeouts.keys, typ, toolIssuer },
      now,
      log,
      endedTools,
    );
    const checkProof = openProofCheck({ db, now, jwks, issuer: toolIssuer });
    const { publishers } = options;
    authorizeCalls(app, { db, keys: serviceKeys, readToken, checkProof, rights, publishers, now });
    noteActivity(app);
    app.removeContentTypeParser('text/plain');
  },
  { name: 'community' },
);
