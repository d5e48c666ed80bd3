/** Pages that are kept as pictures, as a visitor sees them. */
export type Scene = { name: string; path: string; width: number };

const SIGN_IN = '/user/login?redirect_uri=/&response_type=code';
const PLUGIN = '/plugins/plugin/square-chart-kitchen';
const WIDE = 1440;
const NARROW = 375;

export const SCENES: readonly Scene[] = [
  { name: 'home', path: '/plugins/', width: WIDE },
  { name: 'plugin', path: PLUGIN, width: WIDE },
  { name: 'sign-in', path: SIGN_IN, width: WIDE },
  { name: 'protocol', path: '/plugins/protocol', width: WIDE },
  { name: 'missing', path: '/plugins/nowhere', width: WIDE },
  { name: 'home-narrow', path: '/plugins/', width: NARROW },
  { name: 'plugin-narrow', path: PLUGIN, width: NARROW },
];

export const HEIGHT: Readonly<Record<number, number>> = { [WIDE]: 900, [NARROW]: 812 };
