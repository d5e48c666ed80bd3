import { BASE_PATH, COLLECTIONS_PATH, DOCS_PATH, PUBLISHING_PATH } from '../../shared/constants.ts';
import type { SiteVariant } from '../../shared/deploy-types.ts';
import type { Language } from '../../shared/languages.ts';
import { pathsOf, targetsOf } from './header/targets/targets-of.ts';
import type { MessageKeys } from './message-keys.ts';

type Text = MessageKeys<'footer'>;
/** A text and a path of the wider site (R 11.2). */
type FooterLink = readonly [text: Text, path: string];
type FooterColumn = readonly [title: Text, links: readonly FooterLink[]];

const COMMUNITY: readonly FooterLink[] = [
  ['community', '/community/home'],
  ['libraries', '/community/home?classify=library'],
  ['activities', '/community/activity'],
  ['design_skills', '/designskills/'],
  ['collections', COLLECTIONS_PATH],
];

/** Pages of this marketplace for publishers, on every site. */
const PUBLISHERS: FooterColumn = [
  'publishers',
  [
    ['publishing', PUBLISHING_PATH],
    ['developer_docs', DOCS_PATH],
  ],
];

/** A private deployment links all that its header links, of which only existing pages are shown. */
const COLUMNS: Readonly<Record<SiteVariant, readonly FooterColumn[]>> = {
  domestic: [
    [
      'product',
      [
        ['workbench', '/app'],
        ['whiteboard', '/pixsoboard/'],
        ['prototype', '/prototype-design/'],
        ['price', '/price/'],
        ['download', '/download/'],
      ],
    ],
    ['resources', COMMUNITY],
    [
      'company',
      [
        ['enterprise', '/teamversion/'],
        ['private_deployment', '/privatedeploy/'],
        ['customer_cases', '/customer-cases/'],
        ['education', '/education-version/'],
        ['contact', '/contact-us/'],
      ],
    ],
  ],
  overseas: [
    [
      'product',
      [
        ['workbench', '/app'],
        ['whiteboard', '/pixso-whiteboard'],
        ['prototype', '/prototype-design/'],
        ['price', '/price/'],
        ['download', '/download/'],
      ],
    ],
    ['resources', COMMUNITY],
    [
      'company',
      [
        ['enterprise', '/pixso-enterprise/'],
        ['private_deployment', '/private-deployment/'],
        ['customer_cases', '/customer-cases/'],
        ['education', '/education-version/'],
        ['contact', '/contact-us/'],
      ],
    ],
  ],
  private: [
    [
      'product',
      [
        ['workbench', '/app'],
        ['design', '/'],
        ['whiteboard', '/pixsoboard/'],
        ['prototype', '/prototype-design/'],
        ['price', '/price/'],
        ['download', '/download/'],
      ],
    ],
    ['resources', [...COMMUNITY, ['plugins', BASE_PATH]]],
    [
      'company',
      [
        ['enterprise', '/teamversion/'],
        ['private_deployment', '/privatedeploy/'],
        ['customer_cases', '/customer-cases/'],
        ['education', '/education-version/'],
        ['recommend', '/recommend/'],
        ['organizations', '/organization-application/'],
        ['contact', '/contact-us/'],
      ],
    ],
  ],
};

type Where = {
  /** Inside a workplace chat, which hides the same items here as in the header. */
  embedded: boolean;
  /** Whether there is such a page. */
  exists?: (path: string) => boolean;
};

/** The columns of a site's footer, without items that are hidden in a chat or have no page. */
export function footerColumns(
  variant: SiteVariant,
  language: Language,
  { embedded, exists = () => true }: Where,
): readonly FooterColumn[] {
  const inHeader = pathsOf(targetsOf(variant, { embedded: false }));
  const inChat = pathsOf(targetsOf(variant, { embedded: true }));
  const isShown = (path: string) => exists(path) && !(embedded && inHeader.has(path) && !inChat.has(path));
  return [...COLUMNS[variant], PUBLISHERS].flatMap(([title, links]): FooterColumn[] => {
    const all: FooterLink[] =
      title === 'resources' ? [...links, ['help', helpPath(variant, language)]] : [...links];
    const shown = all.filter(([, path]) => isShown(path));
    return shown.length > 0 ? [[title, shown]] : [];
  });
}

/** Languages of the overseas help center besides English. */
const OVERSEAS: Partial<Record<Language, string>> = {
  'ja-JP': '/help/jp/',
  'ko-KR': '/help/kr/',
  'es-ES': '/help/es/',
};

/** Help center path: overseas in the reader's language (R 11.3). */
export function helpPath(variant: SiteVariant, language: Language): string {
  return variant === 'overseas' ? (OVERSEAS[language] ?? '/help/en/') : '/help/';
}
