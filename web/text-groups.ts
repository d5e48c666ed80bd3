/** Namespaces of texts that only some pages show, or no first view: `later`. All others come with every page. */
export const TEXT_GROUPS = {
  later: ['community', 'consent', 'desktop', 'headerLinks'],
  account: ['account', 'password', 'proof', 'secondFactor'],
  signIn: ['bind', 'password', 'proof', 'secondFactor', 'signIn'],
  help: ['help'],
  notices: ['notices'],
  publishing: [
    'batch',
    'finding',
    'form',
    'myPlugins',
    'overview',
    'publish',
    'publishToken',
    'status',
    'versions',
  ],
  backstage: [
    'accounts3rd',
    'backstage',
    'bannerAdmin',
    'checklist',
    'featuredAdmin',
    'finding',
    'form',
    'help',
    'helpAdmin',
    'manage',
    'markAdmin',
    'members',
    'overview',
    'password',
    'proof',
    'publishToken',
    'qrCodes',
    'reports',
    'review',
    'secondFactor',
    'slots',
    'status',
    'tagAdmin',
    'trail',
  ],
} as const satisfies Record<string, readonly string[]>;

export type TextGroup = keyof typeof TEXT_GROUPS;

/** Folders of pages whose texts come with them alone. */
const FOLDERS: readonly [folder: string, group: TextGroup][] = [
  ['web/pages/account/', 'account'],
  ['web/pages/sign-in/', 'signIn'],
  ['web/pages/bind/', 'signIn'],
  ['web/pages/mail-links/', 'signIn'],
  ['web/pages/help/', 'help'],
  ['web/pages/notices/', 'notices'],
  ['web/pages/publish/', 'publishing'],
  ['web/pages/my-plugins/', 'publishing'],
  ['web/pages/backstage/', 'backstage'],
];

/** The group of texts a page shows beside those of every page, by its source file. */
export function textGroupOf(source: string): TextGroup | undefined {
  return FOLDERS.find(([folder]) => source.startsWith(folder))?.[1];
}
