import { BASE_PATH } from '../../../../shared/constants.ts';
import { personalHome } from './personal-home.ts';
import type { SiteTargets } from './target.ts';

/** Sites outside China: help by language, other pages for whiteboard and enterprises, no rewards for recommending. */
export const overseas: SiteTargets = {
  sections: [
    {
      name: 'product',
      places: [
        { name: 'design', path: '/' },
        { name: 'whiteboard', path: '/pixso-whiteboard', notInChat: true },
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
        {
          name: 'help_center',
          newWindow: true,
          path: {
            'en-US': '/help/en/',
            'ja-JP': '/help/jp/',
            'ko-KR': '/help/kr/',
            'es-ES': '/help/es/',
            // Written in neither: read in English.
            'ru-RU': '/help/en/',
            'zh-CN': '/help/en/',
          },
        },
        { name: 'design_skills', path: '/designskills/', newWindow: true },
      ],
    },
    {
      name: 'enterprise',
      notInChat: true,
      fold: 1,
      places: [
        { name: 'team', path: '/pixso-enterprise/' },
        { name: 'private_deployment', path: '/private-deployment/' },
        { name: 'customers', path: '/customer-cases/' },
      ],
    },
    {
      name: 'support',
      fold: 1,
      places: [
        { name: 'contact', path: '/contact-us/' },
        { name: 'education', path: '/education-version/' },
        { name: 'organizations', path: '/organization-application/' },
      ],
    },
  ],
  workbench: '/app',
  personalHome,
};
