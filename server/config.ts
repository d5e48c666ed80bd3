import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { UPDATE_AGE_MAX } from '../shared/constants.ts';
import {
  DEPLOY_TYPES,
  isPrivate,
  offeredLanguages,
  PRIVATE_LANGUAGES,
  SIGN_UPS,
  usualSignUp,
} from '../shared/deploy-types.ts';
import { LANGUAGES } from '../shared/languages.ts';
import {
  exactOrigin,
  httpUrl,
  issuer,
  mailSender,
  mailServerUrl,
  nameServer,
  origin,
  proxyAddress,
  queryUrl,
  redisUrl,
  toolOriginsOf,
  webAddress,
} from './address-parsers.ts';
import { startError } from './database/errors.ts';
import { DEFAULT_EDITORS, editors } from './editors.ts';
import { CLIENT_AUTH_METHODS } from './http/client-credentials.ts';
import {
  color,
  count,
  duration,
  encryptionKey,
  factor,
  flag,
  limit,
  list,
  oneOf,
  type Parse,
  path,
  pause,
  port,
  privateKey,
  serviceTokens,
  signingKey,
  size,
  text,
  textOrFile,
  wholeDays,
} from './setting-parsers.ts';

/** Version of the running program. */
export const VERSION = packageJson.version;

/** Milliseconds; a key is published for ten minutes before it signs. */
const SHORTEST_ROTATION = 3_600_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings and collects their errors, so that all of them are reported at once. */
function settingsReader(environment: Environment) {
  const problems: string[] = [];
  function optional<T>(name: string, parse: Parse<T>): T | undefined {
    const value = environment[name]?.trim();
    if (value === undefined || value === '') return undefined;
    try {
      return parse(value);
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}.`);
      return undefined;
    }
  }
  const setting = <T>(name: string, parse: Parse<T>, fallback: T): T => optional(name, parse) ?? fallback;
  return { optional, setting, problems };
}

/**
 * All settings, checked (R 17.2). The only reader of the environment.
 * @throws StartError naming every bad setting.
 */
export function loadConfig(environment: Environment = process.env) {
  const { optional, setting, problems } = settingsReader(environment);
  const role = setting('ROLE', oneOf('all', 'gateway', 'community', 'identity'), 'all');
  const httpPort = setting('PORT', port, 8080);
  const publicUrl = setting('PUBLIC_URL', origin, `http://localhost:${httpPort}`);
  const deployType = setting('DEPLOY_TYPE', oneOf(...DEPLOY_TYPES), 'domestic');
  const languages = setting('LANGUAGES', list(oneOf(...LANGUAGES)), []);
  if (isPrivate(deployType) && languages.some((language) => !PRIVATE_LANGUAGES.includes(language))) {
    problems.push(`LANGUAGES of a private site must be among ${PRIVATE_LANGUAGES.join(', ')}.`);
  }
  const databaseUrl = optional('DATABASE_URL', text);
  const upstreams = {
    community: optional('COMMUNITY_URL', httpUrl),
    helpcenter: optional('HELPCENTER_URL', httpUrl),
    identity: optional('IDENTITY_URL', httpUrl),
    ca: optional('UPSTREAM_CA', (file) => readFileSync(file, 'utf8')),
  };
  const serviceKeys = setting('SERVICE_KEYS', list(encryptionKey), []);
  const userServiceClient = {
    id: optional('USER_SERVICE_CLIENT_ID', text),
    secret: optional('USER_SERVICE_CLIENT_SECRET', text),
  };
  const oidc = {
    issuer: optional('OIDC_ISSUER', issuer),
    clientId: optional('OIDC_CLIENT_ID', text),
    credentials: {
      method: optional('OIDC_CLIENT_AUTH', oneOf(...CLIENT_AUTH_METHODS)),
      secret: optional('OIDC_CLIENT_SECRET', text),
      key: optional('OIDC_CLIENT_KEY', privateKey),
      keyId: optional('OIDC_CLIENT_KEY_ID', text),
    },
    scope: setting('OIDC_SCOPE', text, 'openid profile email offline_access'),
  };
  const auth = {
    provider: setting('AUTH_PROVIDER', oneOf('user-service', 'oidc'), 'user-service'),
    oidc,
  };
  const hasSignIn = upstreams.identity !== undefined || auth.provider === 'oidc';
  if (role === 'gateway' && !(upstreams.community && hasSignIn)) {
    problems.push('ROLE=gateway needs COMMUNITY_URL and IDENTITY_URL.');
  }
  if (role === 'community' && !upstreams.identity) problems.push('ROLE=community needs IDENTITY_URL.');
  if ((role === 'community' || role === 'identity') && serviceKeys.length === 0) {
    problems.push(
      `ROLE=${role} needs SERVICE_KEYS, the same for gateway, community and identity: 32 random bytes in base64url.`,
    );
  }
  if ((userServiceClient.id === undefined) !== (userServiceClient.secret === undefined)) {
    problems.push('USER_SERVICE_CLIENT_ID and USER_SERVICE_CLIENT_SECRET go together.');
  }
  if (userServiceClient.id !== undefined && (!upstreams.identity || auth.provider === 'oidc')) {
    problems.push('USER_SERVICE_CLIENT_ID is for a user service of another make: it needs IDENTITY_URL.');
  }
  const session = {
    keys: setting('SESSION_KEYS', list(encryptionKey), []),
    idle: setting('SESSION_IDLE', duration, 7 * 86_400_000),
    max: setting('SESSION_MAX', duration, 30 * 86_400_000),
  };
  if (session.idle > session.max) problems.push('SESSION_IDLE must not exceed SESSION_MAX.');

  const { method, secret, key } = oidc.credentials;
  if (auth.provider === 'oidc' && !(oidc.issuer && oidc.clientId && (secret ?? key))) {
    problems.push(
      'AUTH_PROVIDER=oidc needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET (or OIDC_CLIENT_KEY).',
    );
  }
  if (method === 'private_key_jwt' && !key)
    problems.push(`OIDC_CLIENT_AUTH=${method} needs OIDC_CLIENT_KEY.`);
  else if (method && method !== 'private_key_jwt' && !secret)
    problems.push(`OIDC_CLIENT_AUTH=${method} needs OIDC_CLIENT_SECRET.`);
  if (auth.provider === 'oidc' && role !== 'identity' && !upstreams.community) {
    problems.push(
      'AUTH_PROVIDER=oidc needs COMMUNITY_URL, a service that trusts the tokens of that provider.',
    );
  }
  const keyRotation = setting('KEY_ROTATION', duration, 90 * 86_400_000);
  if (keyRotation < SHORTEST_ROTATION) problems.push('KEY_ROTATION must be 1h at least.');
  if (!oidc.scope.split(' ').includes('openid')) problems.push('OIDC_SCOPE must hold openid.');
  if (auth.provider === 'oidc' && setting('ALLOW_UNSOLICITED_CODE', flag, false)) {
    problems.push('ALLOW_UNSOLICITED_CODE does not go with AUTH_PROVIDER=oidc.');
  }

  const mailServer = optional('SMTP_URL', mailServerUrl);
  const mailFrom = optional('MAIL_FROM', mailSender);
  if (mailServer && !mailFrom && !problems.some((problem) => problem.startsWith('MAIL_FROM')))
    problems.push('SMTP_URL needs MAIL_FROM.');
  const s3 = {
    endpoint: optional('S3_ENDPOINT', httpUrl),
    bucket: optional('S3_BUCKET', text),
    region: setting('S3_REGION', text, 'us-east-1'),
    accessKeyId: optional('S3_ACCESS_KEY_ID', text),
    secretAccessKey: optional('S3_SECRET_ACCESS_KEY', text),
  };
  const { endpoint, bucket, accessKeyId, secretAccessKey } = s3;
  const isS3Whole = endpoint && bucket && accessKeyId && secretAccessKey;
  if (!isS3Whole && (endpoint ?? bucket ?? accessKeyId ?? secretAccessKey)) {
    problems.push('A bucket needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  }

  const frameAncestors = setting('FRAME_ANCESTORS', text, "'self'");
  const playgroundOrigin = optional('PLAYGROUND_ORIGIN', origin);
  if (playgroundOrigin === publicUrl)
    problems.push('PLAYGROUND_ORIGIN must be another origin than PUBLIC_URL: plugins would run as the site.');
  else if (playgroundOrigin && new URL(playgroundOrigin).protocol !== new URL(publicUrl).protocol)
    problems.push('PLAYGROUND_ORIGIN must have the scheme of PUBLIC_URL.');

  const authority = upstreams.ca === undefined ? {} : { ca: upstreams.ca };

  const config = {
    version: VERSION,
    role,
    auth,
    deployType,
    languages: offeredLanguages(deployType, languages),
    workers: setting('WORKERS', count, 1),
    logLevel: optional('LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
    publicUrl,
    host: setting('HOST', text, '127.0.0.1'),
    port: httpPort,
    opsHost: setting('OPS_HOST', text, '127.0.0.1'),
    opsPort: setting('OPS_PORT', port, 8081),
    shutdownDelay: setting('SHUTDOWN_DELAY', pause, 0),
    trustProxy: setting('TRUST_PROXY', list(proxyAddress), []),
    dataDir: setting('DATA_DIR', path, path('data')),
    databaseUrl,
    /** Connections of each service. */
    databasePool: setting('DATABASE_POOL', count, 10),
    redis: optional('REDIS_URL', redisUrl),
    collectorUrl: optional('COLLECTOR_URL', httpUrl),
    timeouts: {
      community: optional('COMMUNITY_TIMEOUT', duration),
      userService: optional('USER_SERVICE_TIMEOUT', duration),
    },
    rateLimitFactor: setting('RATE_LIMIT_FACTOR', factor, 1),
    s3: isS3Whole ? { ...s3, endpoint, bucket, accessKeyId, secretAccessKey, ...authority } : undefined,
    upstreams,
    login: {
      url: setting('LOGIN_URL', queryUrl, `${publicUrl}/user/login`),
      product: setting('PRODUCT', text, '1'),
      channel: setting('CHANNEL', text, 'official'),
      from: setting('FROM', text, '1'),
      uxMode: setting('UX_MODE', oneOf('redirect', 'popup', 'auth'), 'redirect'),
      frame: setting('LOGIN_FRAME', oneOf('auto', 'yes', 'no'), 'auto'),
      allowUnsolicitedCode: setting('ALLOW_UNSOLICITED_CODE', flag, false),
    },
    session,
    extraCmtRoutes: setting('EXTRA_CMT_ROUTES', list(text), []),
    publishers: setting('PUBLISHERS', oneOf('admins', 'members'), 'admins'),
    publishing: {
      limits: setting('PUBLISH_LIMITS', list(limit), [
        { max: 3, window: 60_000 },
        { max: 10, window: 3_600_000 },
        { max: 24, window: 86_400_000 },
      ]),
      quotaBytes: setting('PUBLISHER_QUOTA', size, 2 ** 30),
    },
    serviceKeys,
    /** Services at an address of the settings that are of our make, and get the credential. */
    serviceKeysFor: setting('SERVICE_KEYS_FOR', list(oneOf('community', 'helpcenter', 'identity')), [
      'community',
      'identity',
    ]),
    userServiceClient,
    publishRights: setting('PUBLISH_RIGHTS', oneOf('identity', 'last-seen'), 'identity'),
    /** Administrators decide on what they have submitted themselves. */
    reviewsOwn: setting('REVIEW_OWN_SUBMISSIONS', oneOf('yes', 'no'), 'no') === 'yes',
    /** Another administrator confirms each withdrawal. */
    fourEyes: setting('WITHDRAW_FOUR_EYES', oneOf('yes', 'no'), 'no') === 'yes',
    /** Asked for the proofs of publishers' domains. */
    verifyResolver: optional('VERIFY_RESOLVER', nameServer),
    updates: {
      days: setting('UPDATE_MIN_AGE', wholeDays(UPDATE_AGE_MAX), 0),
      choice: setting('UPDATE_AGE_CHOICE', oneOf('longer', 'any'), 'longer'),
    },
    seed: setting('SEED', oneOf('demo', 'none'), databaseUrl === undefined ? 'demo' : 'none'),
    keyRotation,
    identityKeys: setting('IDENTITY_KEYS', list(encryptionKey), []),
    accountKeys: setting('ACCOUNT_KEYS', list(encryptionKey), []),
    approvalKey: optional('APPROVAL_KEY', signingKey),
    bundleKey: optional('BUNDLE_KEY', signingKey),
    deletionDelay: setting('ACCOUNT_DELETION_DELAY', pause, 14 * 86_400_000),
    signUp: setting('SIGN_UP', oneOf(...SIGN_UPS), usualSignUp(deployType)),
    secondFactor: setting('SECOND_FACTOR', oneOf('optional', 'administrators'), 'optional'),
    mail: mailServer && mailFrom ? { server: mailServer, from: mailFrom } : undefined,
    identityMethods: optional('IDENTITY_METHODS', textOrFile),
    oauthClients: optional('OAUTH_CLIENTS', textOrFile),
    clientTokens: setting('CLIENT_TOKENS', oneOf('none', 'user-service'), 'none'),
    clientOrigins: setting('CLIENT_ORIGINS', list(exactOrigin), []),
    admin: { email: optional('ADMIN_EMAIL', text), password: optional('ADMIN_PASSWORD', text) },
    frameAncestors,
    toolOrigins: toolOriginsOf(frameAncestors, publicUrl),
    playgroundOrigin,
    siteUrl: optional('SITE_URL', origin),
    appUrl: optional('APP_URL', webAddress),
    brand: {
      name: optional('BRAND_NAME', text),
      color: optional('BRAND_COLOR', color),
      logo: optional('BRAND_LOGO', path),
      font: optional('BRAND_FONT', path),
    },
    services: {
      tokens: setting('SERVICE_TOKENS', serviceTokens, []),
      at: {
        host: setting('SERVICE_HOST', text, '127.0.0.1'),
        port: setting('SERVICE_PORT', port, 8082),
        setting: 'SERVICE_PORT',
      },
    },
    vendors: {
      iconFontTokenUrl: optional('ICON_FONT_TOKEN_URL', httpUrl),
      stockPhotoUrl: setting('STOCK_PHOTO_URL', httpUrl, 'https://api.pexels.com/v1'),
    },
    pictureOrigins: setting('PICTURE_ORIGINS', list(origin), []),
    editors: setting('EDITORS', editors, DEFAULT_EDITORS),
    embedUserAgents: setting('EMBED_USER_AGENTS', list(text), ['wxwork', 'Lark', 'Feishu', 'DingTalk']),
    desktopUserAgent: optional('DESKTOP_USER_AGENT', text),
    protocolDir: optional('PROTOCOL_DIR', path),
    developerDocsUrl: optional('DEVELOPER_DOCS_URL', webAddress),
    apiDocs: setting('API_DOCS', flag, !isPrivate(deployType)),
    tracing: {
      endpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl),
      serviceName: setting(
        'OTEL_SERVICE_NAME',
        text,
        role === 'all' ? 'plugin-square' : `plugin-square-${role}`,
      ),
    },
  };
  if (config.clientTokens === 'user-service' && !hasSignIn) {
    problems.push('CLIENT_TOKENS=user-service is for a user service of another make: it needs IDENTITY_URL.');
  }
  if (config.clientOrigins.includes(publicUrl)) {
    problems.push('CLIENT_ORIGINS names the origins of design tools, not that of PUBLIC_URL.');
  }
  if (config.publishRights === 'last-seen' && role === 'all' && !upstreams.identity) {
    problems.push('PUBLISH_RIGHTS=last-seen is for a user service of another make: it needs IDENTITY_URL.');
  }
  if (config.workers > 1 && !config.redis && (role === 'all' || role === 'gateway')) {
    problems.push(
      'WORKERS above 1 needs REDIS_URL, by which the processes share refreshes, ended sessions and limits.',
    );
  }
  if (problems.length > 0) throw startError(problems.join(' '));
  return config;
}

export type Config = ReturnType<typeof loadConfig>;
