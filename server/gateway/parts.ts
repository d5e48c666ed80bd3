import { REFRESH_NETWORK_RETRY } from '../../shared/constants.ts';
import type { Role } from '../../shared/entities/user.ts';
import type { Count } from './limits/counter.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { GatewayOptions } from './options.ts';
import { openShared } from './redis/open-shared.ts';
import { createFitted } from './session/fitted.ts';
import { createHolder, type HolderOf } from './session/holder.ts';
import { createKnownDevices } from './session/known-devices.ts';
import { createRoles } from './session/roles.ts';
import { type Session, sessionHash } from './session/session.ts';
import { createSessionCookie } from './session/session-cookie.ts';
import { createSessions } from './session/sessions.ts';
import { rememberRoles, watchSessions } from './session/watch.ts';
import { createPendingBinds } from './sign-in/bind-cookie.ts';
import { createLoginFrame } from './sign-in/login-frame.ts';
import type { AuthParts } from './sign-in/parts.ts';
import { createSignIn } from './sign-in/providers.ts';
import { createEndRefused, createRefresh } from './sign-in/refresh.ts';
import { createRevalidate } from './sign-in/revalidate.ts';
import { endElsewhere } from './sign-in/sign-out.ts';
import { createTransactions } from './sign-in/transaction.ts';
import { openUpstreams, type Upstreams } from './upstream/upstream.ts';

/** What the gateway is made of, before any route stands. */
export type GatewayParts = {
  auth: AuthParts;
  upstreams: Upstreams;
  /** Counts requests for the limits, in this process or in Redis. */
  count: Count;
  holderOf: HolderOf;
  lastRole: (session: Session) => Role | undefined;
  /** Whether the login page may stand in a frame of this site. */
  loginFrame: () => boolean;
  close: () => Promise<void>;
};

/** Connects what sessions, sign-in and upstreams need of one another. */
export async function createParts(options: GatewayOptions, metrics: GatewayMetrics): Promise<GatewayParts> {
  const { config, keys, log, now } = options;
  const secure = new URL(config.publicUrl).protocol === 'https:';
  const limits = { idle: config.session.idle, max: config.session.max };
  const { redisUrl } = config;
  const { ca } = config.upstreams;
  const { upstreams, signInAt, close } = await openUpstreams(
    { ...options.upstreams, identity: signInAddress(options), collector: config.collectorUrl },
    ca,
    metrics.watchUpstream,
  );
  const { dataDir } = options;
  const shared = await openShared({ redisUrl, ca, dataDir, keys, log, now, onRedis: metrics.setRedis });
  const { state } = shared;
  const cookie = createSessionCookie({ keys, secure, onWrite: metrics.observeCookie });
  const { identity } = upstreams;
  const { provider, userService } = await createSignIn({ config, identity, signInAt, log, now });
  const fitted = createFitted({
    cookie,
    state,
    limits,
    onOutgrown: (session) => {
      log.error(
        { event: 'session_outgrown', session: sessionHash(session) },
        'new tokens fit into no cookies',
      );
      void endElsewhere({ provider, log }, session);
    },
  });
  const endRefused = createEndRefused({ state, limits, log });
  const refresh = fitted(
    createRefresh({
      provider,
      endRefused,
      retryAfter: options.refreshRetryAfter ?? REFRESH_NETWORK_RETRY,
      onOutcome: metrics.countRefresh,
    }),
  );
  const revalidate = createRevalidate({
    provider,
    refresh,
    endRefused,
    state,
    fits: cookie.fits,
    now,
    log,
  });
  const holderOf = createHolder({ cookie, state, limits, now });
  const sessions = watchSessions(
    createSessions({ cookie, state, limits, refresh, revalidate, fitted, now }),
    metrics.countSession,
  );
  const { roleOf, lastRole } = rememberRoles(createRoles({ community: upstreams.community, now, log }));
  const transactions = createTransactions({ keys, secure, state, now });
  const auth: AuthParts = {
    config,
    sessions,
    state,
    transactions,
    binds: createPendingBinds({ keys, secure, now }),
    devices: createKnownDevices({ keys, secure }),
    provider,
    userService,
    roleOf,
    log,
    now,
  };
  return {
    auth,
    upstreams,
    holderOf,
    lastRole,
    loginFrame: createLoginFrame({ config, provider, signInAt, log, now }),
    count: shared.count,
    close: async () => {
      await close();
      await shared.close();
    },
  };
}

/** Behind an OpenID Connect provider there need be no user service. */
function signInAddress({ config: { auth }, upstreams }: GatewayOptions): string {
  return auth.provider === 'oidc' ? (auth.oidc.issuer ?? upstreams.identity) : upstreams.identity;
}
