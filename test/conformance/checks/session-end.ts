import type { Check, Context } from '../check.ts';
import {
  ARTICLE,
  holds,
  INSTALL,
  install,
  isSignedIn,
  LIST,
  putBack,
  same,
  seenOnlyWith,
  sessionCookies,
} from '../expect.ts';

const HOUR = 3_600_000;

/** How sessions end. */
export const sessionEndChecks: readonly Check[] = [
  {
    id: 'R 9.20',
    title: 'a sign-out ends the session for good',
    async run(context) {
      const { upstream, identity, people, dialect } = context;
      // The late response has a refreshed session, which it would set.
      people.lifetime = 3;
      const opened = await context.signedIn();
      people.lifetime = 900;
      const held = sessionCookies(opened, context);
      const underWay = heldCall(context);
      const late = install(opened);
      await underWay.arrived;
      await opened.call(dialect.logoutPath, { method: 'POST' });
      underWay.release();
      holds((await late).setCookies.length === 0, 'a late response sets no cookie');
      same(identity.seen('POST /user/logout').length, 1, 'sign-outs at the user service');
      same(sessionCookies(opened, context), [], 'cookies left');
      upstream.on(`POST ${INSTALL}`, () => ({}));
      putBack(opened, held);
      same((await install(opened)).status, 401, 'a call with the old cookie');
      putBack(opened, held);
      same((await opened.call(LIST)).status, 401, 'a public call with the old cookie');
      putBack(opened, held);
      same(await isSignedIn(opened, context), false, 'signed in with the old cookie');
      same((await opened.call(dialect.logoutPath, { method: 'POST' })).status, 200, 'a second sign-out');
      same(identity.seen('POST /user/logout').length, 1, 'sign-outs at the user service');
    },
  },
  {
    id: 'R 9.22',
    title: 'idle and absolute timeout; the session call does not extend them',
    async run(context) {
      const { people } = context;
      people.lifetime = 86_400;
      const target = await context.start({ settings: { SESSION_IDLE: '1h', SESSION_MAX: '3h' } });
      const clock = seenOnlyWith(target.clock, 'a clock that can be moved');
      context.upstream.on(`GET ${ARTICLE}`, () => ({}));
      const polling = await context.signedIn(7, target);
      const using = await context.signedIn(8, target);
      same((await using.call(ARTICLE)).setCookies, [], 'cookies set right after the sign-in');
      for (const minutes of [30, 55, 80, 105, 130, 155]) {
        clock.ahead = minutes * 60_000;
        await isSignedIn(polling, context);
        if (minutes > 60) same(await isSignedIn(polling, context), false, `polling after ${minutes} minutes`);
        same((await using.call(ARTICLE)).status, 200, 'a call of a session in use');
        same(await isSignedIn(using, context), true, `a session in use after ${minutes} minutes`);
      }
      clock.ahead = 3 * HOUR + 1000;
      same(await isSignedIn(using, context), false, 'a session in use after its absolute timeout');
    },
  },
];

/** An encrypted cookie does not contain a sign-out, so the gateway must store it. */
export const restartChecks: readonly Check[] = [
  {
    id: 'logout replay',
    title: 'a sign-out survives a restart of the gateway',
    async run(context) {
      const { upstream, dialect } = context;
      upstream.on(`POST ${INSTALL}`, () => ({}));
      const [leaving, staying] = [await context.signedIn(7), await context.signedIn(8)];
      const [held, kept] = [sessionCookies(leaving, context), sessionCookies(staying, context)];
      await leaving.call(dialect.logoutPath, { method: 'POST' });
      const again = await context.restart();
      const replaying = context.browser(again);
      putBack(replaying, held);
      same((await install(replaying)).status, 401, 'a call with the old cookie after a restart');
      putBack(replaying, held);
      same(await isSignedIn(replaying, context), false, 'signed in with the old cookie after a restart');
      const other = context.browser(again);
      putBack(other, kept);
      same(await isSignedIn(other, context), true, 'signed in without having signed out');
    },
  },
];

/** Makes the stub delay a call. */
export function heldCall({ upstream }: Context): { arrived: Promise<void>; release: () => void } {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  upstream.on(`POST ${INSTALL}`, async () => {
    arrived.resolve();
    await released.promise;
    return {};
  });
  return { arrived: arrived.promise, release: released.resolve };
}
