import { BASE_PATH } from '../../../../shared/constants.ts';
import { personalHome } from './personal-home.ts';
import type { SiteTargets } from './target.ts';

/** The China site: everything the wider site has, under its Chinese names. */
export const domestic: SiteTargets = {
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
        { name: 'works', path: '/community/home' },
        { name: 'libraries', path: '/community/home?classify=library' },
        { name: 'plugins', path: BASE_PATH },
        { name: 'activities', path: '/community/activity' },
      ],
    },
    { name: 'membership', path: '/price/', notInChat: true, fold: 3 },
    { name: 'download', path: '/download/', notInChat: true, fold: 2 },
    {
      name: 'help',
      fold: 2,
      places: [
        { name: 'help_center', path: '/help/', newWindow: true },
        { name: 'design_skills', path: '/designskills/', newWindow: true },
      ],
    },
    {
      name: 'enterprise',
      notInChat: true,
      fold: 1,
      places: [
        { name: 'team', path: '/teamversion/' },
        { name: 'private_deployment', path: '/privatedeploy/' },
        { name: 'customers', path: '/customer-cases/' },
      ],
    },
    {
      name: 'support',
      fold: 1,
      places: [
        { name: 'contact', path: '/contact-us/' },
        { name: 'recommend', path: '/recommend/' },
        { name: 'education', path: '/education-version/' },
        { name: 'organizations', path: '/organization-application/' },
      ],
    },
  ],
  workbench: '/app',
  personalHome,
};
