import { route } from '../route.ts';

/** What the page sends by `navigator.sendBeacon` while it goes away. */
export const collectRoutes = {
  collect: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/collect',
    access: 'all',
    file: true,
    beacon: true,
    summary: 'Passes an analytics event on to the collector; answers 204 at once',
  }),
};
