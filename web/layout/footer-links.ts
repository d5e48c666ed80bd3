import type { Messages } from 'use-intl';
import type { SiteVariant } from '../../shared/deploy-types.ts';
import type { Language } from '../../shared/languages.ts';
import { helpPath } from './help-path.ts';

type Text = keyof Messages['footer'];
/** A text and a path of the wider site (specification section 2). */
type FooterLink = readonly [text: Text, path: string];
type FooterColumn = readonly [title: Text, links: readonly FooterLink[]];

/** What has no place inside a workplace chat. */
export const NOT_IN_CHAT: ReadonlySet<Text> = new Set<Text>([
  'whiteboard',
  'prototype',
  'price',
  'download',
  'enterprise',
]);

const COMMUNITY: readonly FooterLink[] = [
  ['community', '/community/home'],
  ['libraries', '/community/home?classify=library'],
  ['activities', '/community/activity'],
  ['design_skills', '/designskills/'],
];

/** A private deployment sells nothing and has no public community around it. */
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
        ['whiteboard', '/pixsoboard/'],
        ['prototype', '/prototype-design/'],
      ],
    ],
    ['resources', [['libraries', '/community/home?classify=library']]],
  ],
};

/** The columns of a site's footer. */
export function footerColumns(
  variant: SiteVariant,
  language: Language,
  embedded: boolean,
): readonly FooterColumn[] {
  return COLUMNS[variant].map(([title, links]) => {
    const all: FooterLink[] =
      title === 'resources' ? [...links, ['help', helpPath(variant, language)]] : [...links];
    return [title, embedded ? all.filter(([text]) => !NOT_IN_CHAT.has(text)) : all];
  });
}
