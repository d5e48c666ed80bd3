import { Type } from 'typebox';
import { PAGE_SIZE, PAGE_SIZE_MAX, TEXT_LIMITS } from '../constants.ts';
import { Cursor, Id, Nothing, Nullable } from '../entities/base.ts';
import { PluginPage } from '../entities/plugin.ts';
import { Handle, OwnProfile, ProfileTexts, Publisher, PublisherReport } from '../entities/publisher.ts';
import { ReportReason } from '../entities/site.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

const reason = Type.String({ minLength: 1, maxLength: TEXT_LIMITS.reason });

/** Pages of publishers, and what they say there about themselves. */
export const publisherRoutes = {
  readPublisher: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/publisher',
    access: 'all',
    cache: 5,
    summary: 'A publisher by handle, also by a former one',
    query: Type.Object({ handle: Handle }),
    data: Publisher,
  }),
  listPublisherPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/publisher/plugin/list',
    access: 'all',
    cache: 5,
    compress: true,
    summary: 'Published plugins of a publisher, page by page',
    query: Type.Object({
      handle: Handle,
      sort: Type.Union([Type.Literal(0), Type.Literal(1)], {
        description: '0 latest update, 1 most popular',
        default: 1,
      }),
      cursor: Type.Optional(Cursor),
      limit: Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, default: PAGE_SIZE }),
    }),
    data: PluginPage,
  }),
  listSitemapPublishers: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/publisher/sitemap',
    access: 'all',
    summary: 'Handles of publishers with published plugins, at most 10,000',
    data: Type.Object({ handle_list: Type.Array(Handle) }),
  }),
  reportPublisher: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/publisher/report',
    access: 'user',
    rateLimit: 'report',
    summary: 'Report what a publisher says about themselves',
    body: Type.Object({ handle: Handle, kind: ReportReason, reason }),
    data: Nothing,
  }),
  readOwnProfile: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/publisher/profile',
    access: 'publisher',
    summary: "The caller's profile as a publisher",
    data: OwnProfile,
  }),
  updateOwnProfile: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/publisher/profile',
    access: 'publisher',
    summary: "Change the caller's profile as a publisher",
    body: Type.Object({
      /** By default it stays. */
      handle: Type.Optional(Handle),
      ...ProfileTexts.properties,
    }),
    data: OwnProfile,
  }),
};

/** What administrators do with the profiles of publishers. */
export const managedPublisherRoutes = {
  listPublisherReports: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/publisher/report/list',
    access: 'admin',
    summary: 'Undecided reports of what publishers say about themselves, oldest first',
    query: Type.Object(paging),
    data: Type.Object({ next_cursor: Nullable(Cursor), report_list: Type.Array(PublisherReport) }),
  }),
  dismissPublisherReport: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/publisher/report',
    access: 'admin',
    summary: 'Dismiss such a report; 409 if another administrator has decided',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  hideProfile: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/publisher/profile',
    access: 'admin',
    summary: 'Hide what a publisher says about themselves, which upholds all reports of it, or show it again',
    body: Type.Object({
      user_id: Id,
      is_hidden: Type.Boolean(),
      /** Required to hide it; the publisher gets it. */
      reason: Type.Optional(reason),
    }),
    data: Nothing,
  }),
};
