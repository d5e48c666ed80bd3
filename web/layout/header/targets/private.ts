import { BASE_PATH } from '../../../../shared/constants.ts';
import type { SiteTargets } from './target.ts';

/**
 * Private deployments: the tools, what is shared inside the house, and help. Nothing that sells: no prices, downloads,
 * enterprise and support pages, and no public community with works, activities and personal homes.
 */
export const privateSite: SiteTargets = {
  sections: [
    {
      name: 'product',
      places: [
        { name: 'design', path: '/' },
        { name: 'whiteboard', path: '/pixsoboard/', notInChat: true },
        { name: 'prototype', path: '/prototype-design/', notInChat: true },
      ],
    },
    {
      name: 'community',
      places: [
        { name: 'libraries', path: '/community/home?classify=library' },
        { name: 'plugins', path: BASE_PATH },
      ],
    },
    { name: 'help', path: '/help/' },
  ],
  workbench: '/app',
};
