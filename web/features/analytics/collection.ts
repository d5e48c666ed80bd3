import type { Sensors } from 'sa-sdk-javascript/dist/v2/sensorsdata.es6.js';
import { ANALYTICS_PID } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { collectRoutes } from '../../../shared/routes/collect.ts';
import { profileOf } from './profile.ts';

/** The collection of events in this document. It collects between `resume` and `pause`. */
export type Collection = {
  /** Goes on for this viewer; undefined is a visitor who has not signed in. */
  resume(viewer: UserInfo | undefined): void;
  pause(): void;
  /** Tells of the page on screen. */
  seePage(): void;
  /** Ends it and parts with who the visitor was; what comes after is somebody else's. */
  end(): void;
};

/**
 * Sets the library up (specification section 3, "Analytics profile", and sections 7 and 9); nothing is sent before the
 * first `resume`. Its cookie is this host's alone. Page views are told by `seePage`: the library's own watch over the
 * address sends them before the page has its title.
 */
export function createCollection(
  sensors: Sensors,
  { address, product }: { address: Pick<URL, 'origin' | 'protocol'>; product: string },
): Collection {
  sensors.init({
    server_url: address.origin + collectRoutes.collect.path,
    send_type: 'beacon',
    heatmap: { collect_tags: { div: { max_level: 3 } } },
    show_log: false,
    cross_subdomain: false,
    set_cookie_samesite: 'Lax',
    is_secure_cookie: address.protocol === 'https:',
  });
  /** Where it cannot send beacons, the library falls back to a call that the gateway does not take. */
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
