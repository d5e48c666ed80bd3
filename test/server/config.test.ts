import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { DEPLOY_TYPES } from '../../shared/deploy-types.ts';

t.test('config', async (t) => {
  t.test('editors', async (t) => {
    t.strictSame(loadConfig({}).editors, [{ id: 'pixso', name: 'Pixso' }]);
    t.strictSame(loadConfig({ EDITORS: '[]' }).editors, []);
    const editors = [
      { id: 'pixso', name: 'Pixso', openUrl: 'pixso://plugins/{plugin_key}' },
      { id: 'whiteboard', name: '白板', openUrl: 'https://tool.example/open?plugin={plugin_key}' },
    ];
    t.strictSame(loadConfig({ EDITORS: JSON.stringify(editors) }).editors, editors);
  });

  t.test('defaults of the settings', async (t) => {
    const config = loadConfig({});
    t.match(config, {
      role: 'all',
      host: '127.0.0.1',
      port: 8080,
      opsPort: 8081,
      publicUrl: 'http://localhost:8080',
      deployType: 'domestic',
      seed: 'demo',
      publishers: 'admins',
      trustProxy: [],
      redis: undefined,
      collectorUrl: undefined,
      rateLimitFactor: 1,
      shutdownDelay: 0,
      session: { idle: 7 * 86_400_000, max: 30 * 86_400_000, keys: [] },
      login: {
        url: 'http://localhost:8080/user/login',
        product: '1',
        channel: 'official',
        from: '1',
        uxMode: 'redirect',
        frame: 'auto',
      },
    });
  });

  t.test('an external database gets the demo catalogue only with SEED=demo', async (t) => {
    t.equal(loadConfig({ DATABASE_URL: 'postgres://x' }).seed, 'none');
    t.equal(loadConfig({ DATABASE_URL: 'postgres://x', SEED: 'demo' }).seed, 'demo');
  });

  t.test('services that run alone need the credential of the deployment', async (t) => {
    const identity = { ROLE: 'identity' };
    t.throws(() => loadConfig(identity), {
      message:
        'ROLE=identity needs SERVICE_KEYS, the same for gateway, community and identity: 32 random bytes in base64url.',
    });
    t.throws(() => loadConfig({ ROLE: 'community', IDENTITY_URL: 'http://identity' }), {
      message:
        'ROLE=community needs SERVICE_KEYS, the same for gateway, community and identity: 32 random bytes in base64url.',
    });
    const [old, next] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64url'));
    t.equal(loadConfig({ ...identity, SERVICE_KEYS: `${next},${old}` }).serviceKeys.length, 2);
    t.throws(() => loadConfig({ ...identity, SERVICE_KEYS: 'short' }), {
      message: /SERVICE_KEYS must hold keys of 32 bytes in base64url, separated by commas\./,
    });
    t.strictSame(loadConfig({}).serviceKeysFor, ['community', 'identity']);
    t.throws(() => loadConfig({ SERVICE_KEYS_FOR: 'collector' }), {
      message: 'SERVICE_KEYS_FOR must be one of community, helpcenter, identity.',
    });
  });

  t.test('the credential at a user service of another make', async (t) => {
    const client = { USER_SERVICE_CLIENT_ID: 'square', USER_SERVICE_CLIENT_SECRET: 'secret' };
    const elsewhere = { ...client, IDENTITY_URL: 'https://users.example' };
    t.strictSame(loadConfig(elsewhere).userServiceClient, { id: 'square', secret: 'secret' });
    t.throws(() => loadConfig({ ...elsewhere, USER_SERVICE_CLIENT_SECRET: '' }), {
      message: 'USER_SERVICE_CLIENT_ID and USER_SERVICE_CLIENT_SECRET go together.',
    });
    t.throws(() => loadConfig(client), {
      message: 'USER_SERVICE_CLIENT_ID is for a user service of another make: it needs IDENTITY_URL.',
    });
  });

  t.test('tokens of a user service of another make', async (t) => {
    t.equal(loadConfig({}).clientTokens, 'none');
    t.equal(
      loadConfig({ IDENTITY_URL: 'https://users.example', CLIENT_TOKENS: 'user-service' }).clientTokens,
      'user-service',
    );
    t.throws(() => loadConfig({ CLIENT_TOKENS: 'user-service' }), {
      message: 'CLIENT_TOKENS=user-service is for a user service of another make: it needs IDENTITY_URL.',
    });
    t.throws(() => loadConfig({ IDENTITY_URL: 'https://users.example', CLIENT_TOKENS: 'all' }), {
      message: 'CLIENT_TOKENS must be one of none, user-service.',
    });
  });

  t.test('a bucket needs all of its settings', async (t) => {
    t.equal(loadConfig({}).s3, undefined);
    const bucket = {
      S3_ENDPOINT: 'https://s3.example.org/',
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    t.strictSame(loadConfig(bucket).s3, {
      endpoint: 'https://s3.example.org',
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    });
    t.throws(() => loadConfig({ ...bucket, S3_BUCKET: '' }), {
      message: 'A bucket needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
    });
  });

  t.test('proxy addresses', async (t) => {
    const proxies = ['10.0.0.0/8', 'fd00::/8', '::1', '192.0.2.7', 'loopback'];
    t.strictSame(loadConfig({ TRUST_PROXY: proxies.join(', ') }).trustProxy, proxies);
  });

  t.test('mail server and sender', async (t) => {
    const mail = (SMTP_URL: string, MAIL_FROM = 'square@example.org') =>
      loadConfig({ SMTP_URL, MAIL_FROM }).mail;
    t.equal(loadConfig({}).mail, undefined);
    t.strictSame(mail('smtp://mail.example'), {
      server: { host: 'mail.example', port: 587, tls: 'starttls' },
      from: 'square@example.org',
    });
    t.strictSame(mail('smtps://square:p%40ss@mail.example', 'Plugin Square <square@example.org>'), {
      server: { host: 'mail.example', port: 465, tls: 'implicit', user: 'square', password: 'p@ss' },
      from: 'Plugin Square <square@example.org>',
    });
    t.hasStrict(mail('smtp://[::1]:2525?tls=none'), { server: { host: '::1', port: 2525, tls: 'none' } });
    for (const url of [
      'mail.example',
      'http://mail.example',
      'smtp://',
      'smtps://mail.example?tls=none',
      'smtp://mail.example?tls=maybe',
      'smtp://mail.example/box',
      'smtp://mail.example/#x',
      'smtp://a:%zz@mail.example',
    ]) {
      t.throws(() => mail(url), { message: /SMTP_URL must/ }, url);
    }
    for (const from of [
      'square',
      'a@b, c@d',
      'Square <square>',
      'Square\r\nBcc: <a@example.org>',
      'a@b <c@d> e@f',
    ]) {
      t.throws(() => mail('smtp://mail.example', from), { message: /MAIL_FROM must/ }, from);
    }
    t.throws(() => loadConfig({ SMTP_URL: 'smtp://mail.example' }), { message: 'SMTP_URL needs MAIL_FROM.' });
  });

  t.test('review of own submissions', async (t) => {
    t.equal(loadConfig({}).reviewsOwn, false, 'not allowed by default');
    t.equal(loadConfig({ REVIEW_OWN_SUBMISSIONS: 'no' }).reviewsOwn, false);
    t.equal(loadConfig({ REVIEW_OWN_SUBMISSIONS: 'yes' }).reviewsOwn, true);
    const wrong = { message: 'REVIEW_OWN_SUBMISSIONS must be one of yes, no.' };
    t.throws(() => loadConfig({ REVIEW_OWN_SUBMISSIONS: 'true' }), wrong);
  });

  t.test('a second administrator for withdrawals', async (t) => {
    t.equal(loadConfig({}).fourEyes, false);
    t.equal(loadConfig({ WITHDRAW_FOUR_EYES: 'yes' }).fourEyes, true);
    t.throws(() => loadConfig({ WITHDRAW_FOUR_EYES: '2' }), {
      message: 'WITHDRAW_FOUR_EYES must be one of yes, no.',
    });
  });

  t.test('a minimum age of updates', async (t) => {
    t.strictSame(loadConfig({}).updates, { days: 0, choice: 'longer' });
    t.strictSame(loadConfig({ UPDATE_MIN_AGE: '7d', UPDATE_AGE_CHOICE: 'any' }).updates, {
      days: 7,
      choice: 'any',
    });
    t.equal(loadConfig({ UPDATE_MIN_AGE: '0' }).updates.days, 0);
    for (const wrong of ['7', '12h', '91d', '-1d']) {
      t.throws(
        () => loadConfig({ UPDATE_MIN_AGE: wrong }),
        { message: 'UPDATE_MIN_AGE must be a number of days such as 7d, at most 90d.' },
        wrong,
      );
    }
  });

  t.test('limits of publishers', async (t) => {
    t.strictSame(loadConfig({}).publishing, {
      limits: [
        { max: 3, window: 60_000 },
        { max: 10, window: 3_600_000 },
        { max: 24, window: 86_400_000 },
      ],
      quotaBytes: 1024 ** 3,
    });
    t.strictSame(loadConfig({ PUBLISH_LIMITS: '5/30s, 100/7d', PUBLISHER_QUOTA: '500MB' }).publishing, {
      limits: [
        { max: 5, window: 30_000 },
        { max: 100, window: 604_800_000 },
      ],
      quotaBytes: 500 * 1024 ** 2,
    });
  });

  t.test('size of the connection pool', async (t) => {
    t.equal(loadConfig({}).databasePool, 10);
    t.equal(loadConfig({ DATABASE_POOL: '25' }).databasePool, 25);
    for (const given of ['0', '100', 'many'])
      t.throws(() => loadConfig({ DATABASE_POOL: given }), {
        message: 'DATABASE_POOL must be a whole number from 1 to 99.',
      });
  });

  t.test('number of gateway processes', async (t) => {
    const SERVICE_KEYS = randomBytes(32).toString('base64url');
    t.equal(loadConfig({}).workers, 1);
    t.equal(loadConfig({ WORKERS: '4', REDIS_URL: '/run/redis.sock' }).workers, 4);
    t.equal(
      loadConfig({ WORKERS: '2', IDENTITY_URL: 'http://identity', ROLE: 'community', SERVICE_KEYS }).workers,
      2,
    );
    t.throws(() => loadConfig({ WORKERS: '2' }), {
      message:
        'WORKERS above 1 needs REDIS_URL, by which the processes share refreshes, ended sessions and limits.',
    });
    for (const wrong of ['0', '-1', '1.5', '100', 'all']) {
      t.throws(() => loadConfig({ WORKERS: wrong }), {
        message: 'WORKERS must be a whole number from 1 to 99.',
      });
    }
  });

  t.test('addresses of Redis and of the collector', async (t) => {
    for (const url of ['redis://localhost', 'rediss://user:secret@redis.example:6380/2', '/run/redis.sock']) {
      t.strictSame(loadConfig({ REDIS_URL: url }).redis, { kind: 'server', url });
    }
    const redis = (REDIS_URL: string) => loadConfig({ REDIS_URL }).redis;
    t.strictSame(redis('redis+sentinel://a,b:26380,[::1]:26381/main'), {
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 26380 },
        { host: '::1', port: 26381 },
      ],
      isEncrypted: false,
      name: 'main',
      db: 0,
    });
    t.strictSame(
      redis('rediss+sentinel://me:a%3Ab@a/my-primary/2?sentinel_username=s&sentinel_password=p%26q'),
      {
        kind: 'sentinel',
        nodes: [{ host: 'a', port: 26379 }],
        isEncrypted: true,
        username: 'me',
        password: 'a:b',
        name: 'my-primary',
        db: 2,
        sentinelUsername: 's',
        sentinelPassword: 'p&q',
      },
    );
    t.strictSame(redis('rediss+cluster://:secret@a:7000,b'), {
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 6379 },
      ],
      isEncrypted: true,
      password: 'secret',
    });
    for (const wrong of [
      'redis+sentinel://a,b',
      'redis+sentinel://a/main/x',
      'redis+sentinel://a/main?db=1',
      'redis+sentinel://a,/main',
      'redis+cluster://a/1',
      'redis+cluster://',
      'redis+other://a/main',
      'redis://a:6379,b:6379',
    ]) {
      t.throws(() => redis(wrong), { message: /^REDIS_URL must be an address such as redis:/ }, wrong);
    }
    t.equal(loadConfig({ COLLECTOR_URL: 'https://c.example/in/' }).collectorUrl, 'https://c.example/in');
    t.equal(loadConfig({ RATE_LIMIT_FACTOR: '2.5' }).rateLimitFactor, 2.5);
  });

  t.test('an invalid address is refused without showing it, because it may contain a password', async (t) => {
    try {
      loadConfig({ REDIS_URL: 'redis://:hunter2@host/main' });
      t.fail('was taken');
    } catch (error) {
      t.notMatch(String(error), 'hunter2');
    }
  });

  t.test('the login page may have a query', async (t) => {
    const page = (LOGIN_URL: string) => loadConfig({ LOGIN_URL }).login.url;
    t.equal(page('https://login.example/in/'), 'https://login.example/in');
    t.equal(page('https://login.example/in/?realm=a&theme=b'), 'https://login.example/in/?realm=a&theme=b');
  });

  t.test('strangers sign up on public sites only, unless SIGN_UP says otherwise', async (t) => {
    const rule = (settings: Record<string, string>) => loadConfig(settings).signUp;
    for (const DEPLOY_TYPE of DEPLOY_TYPES) {
      const isPublic = ['domestic', 'overseas', 'dev'].includes(DEPLOY_TYPE);
      t.equal(rule({ DEPLOY_TYPE }), isPublic ? 'open' : 'invited', DEPLOY_TYPE);
      for (const SIGN_UP of ['open', 'invited', 'closed']) t.equal(rule({ DEPLOY_TYPE, SIGN_UP }), SIGN_UP);
    }
  });

  t.test('languages of a private site', async (t) => {
    const languages = (LANGUAGES: string) => loadConfig({ DEPLOY_TYPE: 'pri', LANGUAGES }).languages;
    t.strictSame(languages(''), ['zh-CN', 'en-US']);
    t.strictSame(languages('en-US,zh-CN'), ['zh-CN', 'en-US']);
    t.strictSame(languages('en-US'), ['en-US']);
  });

  t.test('an issuer is not normalised', async (t) => {
    const settings = {
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
      AUTH_PROVIDER: 'oidc',
      COMMUNITY_URL: 'http://cmt.example',
    };
    const { auth } = loadConfig({ ...settings, OIDC_ISSUER: 'https://sso.example/realm/' });
    t.equal(auth.oidc.issuer, 'https://sso.example/realm/');
    const alone = { ...settings, ROLE: 'gateway', COMMUNITY_URL: 'https://community.example' };
    t.equal(
      loadConfig({ ...alone, OIDC_ISSUER: 'https://sso.example' }).role,
      'gateway',
      'without user service',
    );
    t.equal(auth.oidc.scope, 'openid profile email offline_access');
  });

  const SECRET_A = 'canary-A.0123456789_0123456789~abc';
  const SECRET_B = 'canary-B.0123456789_0123456789~abc';

  t.test('service tokens are stored as hashes, with their names', async (t) => {
    t.hasStrict(loadConfig({}).services, {
      tokens: [],
      at: { host: '127.0.0.1', port: 8082, setting: 'SERVICE_PORT' },
    });
    const { services } = loadConfig({ SERVICE_TOKENS: `design-tool:${SECRET_A}, design-tool-2:${SECRET_B}` });
    t.strictSame(
      services.tokens.map(({ name, hash }) => [name, hash.toString('hex')]),
      [
        ['design-tool', createHash('sha256').update(SECRET_A).digest('hex')],
        ['design-tool-2', createHash('sha256').update(SECRET_B).digest('hex')],
      ],
    );
    t.notMatch(JSON.stringify(services), 'canary');
  });

  t.test('errors of SERVICE_TOKENS do not contain any part of it', async (t) => {
    const short = 'canary-0123456789-0123456789-ab';
    t.equal(short.length, 31);
    for (const [value, message] of [
      [SECRET_A, /^SERVICE_TOKENS must hold name:secret pairs, .*; its entry 1 is not one\.$/],
      [`${SECRET_A}:design-tool`, /its entry 1 is not one/],
      [`a:${SECRET_A},b:${short}`, /must hold secrets of 32 to 200 .*; that of its entry 2 is not one/],
      [`a:${SECRET_A},`, /its entry 2 is not one/],
      [`a:${SECRET_A}:more`, /its entry 1 is not one/],
      [`a:${SECRET_A} canary`, /that of its entry 1 is not one/],
      [`a:${'canary'.repeat(40)}`, /that of its entry 1 is not one/],
      [`Canary Tool:${SECRET_A}`, /its entry 1 is not one/],
      [`a:${SECRET_A},a:${SECRET_B}`, /must give each secret its own name/],
      [`a:${SECRET_A},b:${SECRET_A}`, /must not contain a secret twice/],
    ] as const) {
      t.throws(() => loadConfig({ SERVICE_TOKENS: value }), { name: 'StartError', message });
      try {
        loadConfig({ SERVICE_TOKENS: value });
      } catch (error) {
        t.notMatch(String(error), /canary/i);
      }
    }
  });

  t.test('the name server for proofs of domains', async (t) => {
    t.equal(loadConfig({}).verifyResolver, undefined);
    for (const address of ['10.0.0.2', '10.0.0.2:5353', '2001:db8::1', '[2001:db8::1]:5353'])
      t.equal(loadConfig({ VERIFY_RESOLVER: address }).verifyResolver, address);
    for (const wrong of [
      'dns.example',
      '10.0.0.2:',
      '10.0.0.2:0',
      '10.0.0.2:70000',
      '10.0.0',
      '[10.0.0.2]:53',
    ])
      t.throws(
        () => loadConfig({ VERIFY_RESOLVER: wrong }),
        {
          message: 'VERIFY_RESOLVER must be the address of a name server, such as 10.0.0.2 or 10.0.0.2:5353.',
        },
        wrong,
      );
  });

  t.test('vendors of third-party accounts', async (t) => {
    t.strictSame(loadConfig({}).vendors, {
      iconFontTokenUrl: undefined,
      stockPhotoUrl: 'https://api.pexels.com/v1',
    });
  });

  const BAD: [string, Record<string, string>, RegExp][] = [
    ['a port that is none', { PORT: '99999' }, /PORT must be a port number/],
    ['a port of words', { PORT: 'http' }, /PORT must be a port number/],
    ['a path in PUBLIC_URL', { PUBLIC_URL: 'https://example.org/plugins' }, /PUBLIC_URL must be an origin/],
    ['another scheme', { PUBLIC_URL: 'ftp://example.org' }, /PUBLIC_URL must be an http or https address/],
    ['credentials in an address', { COMMUNITY_URL: 'http://a:b@example.org' }, /COMMUNITY_URL must be/],
    ['an unknown deploy type', { DEPLOY_TYPE: 'moon' }, /DEPLOY_TYPE must be one of domestic, overseas/],
    [
      'a path in PICTURE_ORIGINS',
      { PICTURE_ORIGINS: 'https://a.example, https://b.example/pictures' },
      /PICTURE_ORIGINS must be an origin/,
    ],
    [
      'another directive in PICTURE_ORIGINS',
      { PICTURE_ORIGINS: 'https://a.example; script-src *' },
      /PICTURE_ORIGINS/,
    ],
    ['editors that are no list', { EDITORS: 'pixso=Pixso' }, /EDITORS must be a JSON array such as \[/],
    [
      'an editor without a name',
      { EDITORS: '[{"id":"pixso","name":"Pixso"},{"id":"other","name":" "}]' },
      /EDITORS must have an id such as "pixso" and a name in each object, not so in object 2/,
    ],
    ['an editor twice', { EDITORS: '[{"id":"a","name":"A"},{"id":"a","name":"B"}]' }, /"a" is there twice/],
    ...[
      'pixso://plugins/',
      'javascript:alert({plugin_key})',
      'http://tool.example/{plugin_key}',
      'https://{plugin_key}.example/',
      '{plugin_key}:open',
      'pixso://a b/{plugin_key}',
      '/open/{plugin_key}',
    ].map((openUrl): [string, Record<string, string>, RegExp] => [
      `an editor that opens ${openUrl}`,
      { EDITORS: JSON.stringify([{ id: 'pixso', name: 'Pixso', openUrl }]) },
      /EDITORS must have an openUrl with \{plugin_key\}, of https or of a scheme of the tool itself/,
    ]),
    [
      'the origin of the site as the playground',
      { PUBLIC_URL: 'https://a.example', PLAYGROUND_ORIGIN: 'https://a.example' },
      /PLAYGROUND_ORIGIN must be another origin than PUBLIC_URL: plugins would run as the site\./,
    ],
    [
      'a playground that pages may not frame',
      { PUBLIC_URL: 'https://a.example', PLAYGROUND_ORIGIN: 'http://b.example' },
      /PLAYGROUND_ORIGIN must have the scheme of PUBLIC_URL\./,
    ],
    [
      'a path in PLAYGROUND_ORIGIN',
      { PLAYGROUND_ORIGIN: 'https://b.example/x' },
      /PLAYGROUND_ORIGIN must be/,
    ],
    ['any origin in PICTURE_ORIGINS', { PICTURE_ORIGINS: '*' }, /PICTURE_ORIGINS must be/],
    ['a number of hops', { TRUST_PROXY: '1' }, /TRUST_PROXY must hold addresses or ranges/],
    [
      'a number of hops among addresses',
      { TRUST_PROXY: '10.0.0.1, 2' },
      /TRUST_PROXY must hold addresses or ranges/,
    ],
    ['a large number of hops', { TRUST_PROXY: '123' }, /TRUST_PROXY must hold addresses or ranges/],
    ['a range of too many bits', { TRUST_PROXY: '10.0.0.0/33' }, /TRUST_PROXY must hold addresses or ranges/],
    ['a name of a proxy', { TRUST_PROXY: 'proxy.example' }, /TRUST_PROXY must hold addresses or ranges/],
    [
      'another database',
      { REDIS_URL: 'postgres://localhost' },
      /REDIS_URL must be an address such as redis:/,
    ],
    ['a Redis without a host', { REDIS_URL: 'redis://' }, /REDIS_URL must be an address/],
    ['a named Redis database', { REDIS_URL: 'redis://localhost/main' }, /REDIS_URL must be an address/],
    [
      'a collector with a query',
      { COLLECTOR_URL: 'https://c.example/x?project=a' },
      /COLLECTOR_URL must be an http/,
    ],
    [
      'documentation that is not an address',
      { DEVELOPER_DOCS_URL: 'javascript:alert(1)' },
      /DEVELOPER_DOCS_URL must be an http or https address/,
    ],
    ['a collector that is no address', { COLLECTOR_URL: 'collector' }, /COLLECTOR_URL must be an http/],
    ['a factor below nothing', { RATE_LIMIT_FACTOR: '-1' }, /RATE_LIMIT_FACTOR must be a number from 0 up/],
    ['a pause without a unit', { SHUTDOWN_DELAY: '5' }, /SHUTDOWN_DELAY must be a time such as 30s/],
    ['a factor of words', { RATE_LIMIT_FACTOR: 'off' }, /RATE_LIMIT_FACTOR must be a number from 0 up/],
    [
      'a limit without a time',
      { PUBLISH_LIMITS: '3/1m,10' },
      /PUBLISH_LIMITS must hold limits such as 3\/1m/,
    ],
    ['a limit of nothing', { PUBLISH_LIMITS: '0/1m' }, /PUBLISH_LIMITS must hold limits/],
    ['a limit of no time', { PUBLISH_LIMITS: '3/0m' }, /PUBLISH_LIMITS must be a time/],
    ['a size without a unit', { PUBLISHER_QUOTA: '1000' }, /PUBLISHER_QUOTA must be a size such as 500mb/],
    ['a size of nothing', { PUBLISHER_QUOTA: '0gb' }, /PUBLISHER_QUOTA must be a size/],
    ['a short key', { SESSION_KEYS: 'abcd' }, /SESSION_KEYS must hold keys of 32 bytes/],
    ['a short key of accounts', { ACCOUNT_KEYS: 'abcd' }, /ACCOUNT_KEYS must hold keys of 32 bytes/],
    ['a key of bundles', { BUNDLE_KEY: '/nowhere' }, /BUNDLE_KEY must be a private key in PEM/],
    ['a short key of identity', { IDENTITY_KEYS: 'abcd' }, /IDENTITY_KEYS must hold keys of 32 bytes/],
    ['a rotation too quick to follow', { KEY_ROTATION: '59m' }, /KEY_ROTATION must be 1h at least/],
    ['a time without a unit', { SESSION_IDLE: '30' }, /SESSION_IDLE must be a time/],
    ['idle beyond max', { SESSION_IDLE: '40d' }, /SESSION_IDLE must not exceed SESSION_MAX/],
    ['a gateway without upstreams', { ROLE: 'gateway' }, /ROLE=gateway needs COMMUNITY_URL and IDENTITY_URL/],
    ['another way to sign in', { AUTH_PROVIDER: 'ldap' }, /AUTH_PROVIDER must be one of user-service, oidc/],
    [
      'a provider without address',
      { AUTH_PROVIDER: 'oidc' },
      /AUTH_PROVIDER=oidc needs OIDC_ISSUER, OIDC_CLIENT_ID/,
    ],
    [
      'a provider without client',
      { AUTH_PROVIDER: 'oidc', OIDC_ISSUER: 'https://sso.example' },
      /AUTH_PROVIDER=oidc needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/,
    ],
    [
      'a method without its key',
      { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET: 'b' },
      /OIDC_CLIENT_AUTH=private_key_jwt needs OIDC_CLIENT_KEY\./,
    ],
    [
      'a method without its secret',
      { OIDC_CLIENT_AUTH: 'client_secret_post' },
      /OIDC_CLIENT_AUTH=client_secret_post needs OIDC_CLIENT_SECRET\./,
    ],
    ['an issuer that is no address', { OIDC_ISSUER: 'sso' }, /OIDC_ISSUER must be an http or https address/],
    ['a scope without openid', { OIDC_SCOPE: 'profile' }, /OIDC_SCOPE must hold openid/],
    [
      'unsolicited codes with a provider',
      { AUTH_PROVIDER: 'oidc', ALLOW_UNSOLICITED_CODE: 'true' },
      /ALLOW_UNSOLICITED_CODE does not go with AUTH_PROVIDER=oidc/,
    ],
    [
      'the own community service with tokens that it cannot verify',
      {
        AUTH_PROVIDER: 'oidc',
        OIDC_ISSUER: 'https://sso.example',
        OIDC_CLIENT_ID: 'a',
        OIDC_CLIENT_SECRET: 'b',
      },
      /AUTH_PROVIDER=oidc needs COMMUNITY_URL/,
    ],
    [
      'an unknown value of PUBLISH_RIGHTS',
      { PUBLISH_RIGHTS: 'none' },
      /PUBLISH_RIGHTS must be one of identity, last-seen/,
    ],
    [
      'the own user service with PUBLISH_RIGHTS=last-seen',
      { PUBLISH_RIGHTS: 'last-seen' },
      /PUBLISH_RIGHTS=last-seen is for a user service of another make/,
    ],
    ['a vendor that is no address', { ICON_FONT_TOKEN_URL: 'icons' }, /ICON_FONT_TOKEN_URL must be an http/],
    ['a vendor with a query', { STOCK_PHOTO_URL: 'https://a.example/?key=1' }, /STOCK_PHOTO_URL must be an/],
    [
      'a language that private sites do not offer',
      { DEPLOY_TYPE: 'pri', LANGUAGES: 'ja-JP' },
      /LANGUAGES of a private site must be among zh-CN, en-US/,
    ],
    [
      'such a language in a list',
      { DEPLOY_TYPE: 'cluster', LANGUAGES: 'en-US, ru-RU' },
      /LANGUAGES of a private site must be among zh-CN, en-US/,
    ],
    [
      'a login page with a fragment',
      { LOGIN_URL: 'https://a.example/login?x=1#top' },
      /LOGIN_URL must be an http/,
    ],
    [
      'a design tool that is not an address',
      { APP_URL: 'app.example' },
      /APP_URL must be an http or https address/,
    ],
    ['a script as design tool', { APP_URL: 'javascript:alert(1)' }, /APP_URL must be an http/],
    ['a path in SITE_URL', { SITE_URL: 'https://design.example/x' }, /SITE_URL must be an origin/],
    ['a missing certificate file', { UPSTREAM_CA: '/does/not/exist' }, /UPSTREAM_CA/],
  ];

  for (const [name, environment, message] of BAD) {
    t.test(`refused: ${name}`, async (t) => {
      t.throws(() => loadConfig(environment), { name: 'StartError', message });
    });
  }

  t.test('all errors are reported at once', async (t) => {
    t.throws(() => loadConfig({ PORT: 'x', ROLE: 'y' }), { message: /ROLE must.*PORT must/ });
  });
});

t.test('table of the settings', async (t) => {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

  /** Settings in the first column of the tables. */
  function documentedSettings(page: string): string[] {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    return rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name),
    );
  }

  /** Names in capital letters as the first argument of a call, and names that are read from an environment directly. */
  function readSettings(code: string): Set<string> {
    const names = code.matchAll(/\(\s*'([A-Z][A-Z0-9_]+)'|\benv(?:ironment)?(?:\.|\[['"])([A-Z][A-Z0-9_]+)/g);
    return new Set([...names].map(([, argument, property]) => argument ?? property ?? ''));
  }

  function differences(page: string, code: string) {
    const documented = documentedSettings(page);
    const names = readSettings(code);
    return {
      undocumented: [...names].filter((name) => !documented.includes(name)),
      unread: documented.filter((name) => !names.has(name)),
      repeated: documented.filter((name, index) => documented.indexOf(name) !== index),
    };
  }

  const NONE = { undocumented: [], unread: [], repeated: [] };

  t.test('docs/configuration.md documents exactly the settings that server/config.ts reads', async (t) => {
    const [page, code] = [read('docs/configuration.md'), read('server/config.ts')];
    t.ok(readSettings(code).size > 60, 'settings are found in the code');
    t.strictSame(differences(page, code), NONE);

    const row = page.split('\n').find((line) => line.startsWith('| `WORKERS`')) ?? '';
    t.strictSame(
      differences(page.replace(row, ''), code),
      { ...NONE, undocumented: ['WORKERS'] },
      'a missing row',
    );
    t.strictSame(
      differences(`${page}\n${row.replaceAll('WORKERS', 'THREADS')}\n${row}\n`, code),
      { ...NONE, unread: ['THREADS'], repeated: ['WORKERS'] },
      'a row without a setting, and a repeated one',
    );
    for (const added of ["optional(\n 'THREADS', count)", 'environment.THREADS', "process.env['THREADS']"])
      t.strictSame(differences(page, `${code}\n${added}`), { ...NONE, undocumented: ['THREADS'] }, added);
  });
});
