import { route } from '../route.ts';

/** Events that the page sends by `navigator.sendBeacon` when it is closed. */
export const collectRoutes = {
  collect: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/collect',
    access: 'all',
    file: true,
    beacon: true,
    summary: 'Forward an analytics event to the collector; returns 204 immediately',
  }),
};
