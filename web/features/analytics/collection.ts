import type { Sensors } from 'sa-sdk-javascript/dist/v2/sensorsdata.es6.js';
import { ANALYTICS_PID } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { collectRoutes } from '../../../shared/routes/collect.ts';

/** Event collection in this document, active between `resume` and `pause`. */
export type Collection = {
  /** Continues for this viewer; undefined is an anonymous visitor. */
  resume(viewer: UserInfo | undefined): void;
  pause(): void;
  /** Records a page view. */
  seePage(): void;
  /** Stops and forgets the visitor's identity; later events belong to a new visitor. */
  end(): void;
};

/** Properties that the library derives from queries: campaign names and search keywords of other sites. */
const OF_QUERY = /[$_](?:utm_|search_keyword)/;
const ADDRESS_NAME = /url|referrer/i;
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:)?\//i;

/** Cuts every URL after its path: a query may contain secrets such as an authorization code. */
export function withoutQueries(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const allowed = Object.entries(properties).filter(([name]) => !OF_QUERY.test(name));
  return Object.fromEntries(
    allowed.map(([name, value]) => {
      const isAddress = typeof value === 'string' && (ADDRESS_NAME.test(name) || ADDRESS.test(value));
      return [name, isAddress ? value.replace(/[?#].*$/s, '') : value];
    }),
  );
}

/**
 * Configures the library (R 11.21, R 11.22); nothing is sent before
 * the first `resume`. Its cookie is limited to this host. Page views are sent by `seePage`, because the library's
 * automatic ones come before the page has its title.
 */
export function createCollection(
  sensors: Sensors,
  { address, product }: { address: Pick<URL, 'origin' | 'protocol'>; product: string },
): Collection {
  sensors.registerPropertyPlugin({
    properties: (event) => {
      if (event.properties) event.properties = withoutQueries(event.properties);
    },
  });
  sensors.init({
    server_url: address.origin + collectRoutes.collect.path,
    send_type: 'beacon',
    preset_properties: { latest_utm: false, latest_search_keyword: false },
    heatmap: { collect_tags: { div: { max_level: 3 } } },
    show_log: false,
    cross_subdomain: false,
    set_cookie_samesite: 'Lax',
    is_secure_cookie: address.protocol === 'https:',
  });
  /** Without beacons the library falls back to a call that the gateway doesn't accept. */
  const canSend = sensors.para.send_type === 'beacon';
  sensors.disableSDK();

  function resume(viewer: UserInfo | undefined): void {
    if (!canSend) return;
    sensors.enableSDK();
    sensors.registerPage({
      product,
      tid: sensors.quick('getAnonymousID'),
      pid: ANALYTICS_PID,
      uid: viewer ? String(viewer.user_id) : '',
    });
    if (viewer) {
      sensors.login(String(viewer.user_id));
      sensors.setProfile(profileOf(viewer));
    } else sensors.logout();
  }

  function end(): void {
    sensors.enableSDK();
    sensors.logout();
    sensors.resetAnonymousIdentity();
    sensors.disableSDK();
  }

  return {
    resume,
    pause: () => sensors.disableSDK(),
    seePage: () => sensors.quick('autoTrackSinglePage'),
    end,
  };
}

/** Channel of users who came from the document service. */
const DOCUMENT_SERVICE = 'tencent_docs';

/** The user's profile at the collector (R 11.20). */
export function profileOf(user: UserInfo): Record<string, string | number> {
  const { user_id, user_name, nick_name, email, mobile, sex, birthday, channel } = user;
  return {
    yt_uid: user_id,
    user_name,
    nick_name,
    email,
    mobile,
    sex,
    birthday,
    channel,
    ...(user.tencent_docs && { co_channel_from: DOCUMENT_SERVICE }),
  };
}
