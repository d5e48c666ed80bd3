import { Type } from 'typebox';
import { MEDIA_MAX, TEXT_LIMITS } from '../constants.ts';
import { Nullable, PluginKey } from '../entities/base.ts';
import { BatchResult, DryRun } from '../entities/review.ts';
import { route } from '../route.ts';
import { ListingFields } from './publish.ts';

/** Place of a `media` part among those of its form. */
const MediaPlace = Type.Integer({ minimum: 0 });

/** Batch import (specification section 7, design section 7). */
export const batchRoutes = {
  uploadBatch: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/plugins/upload',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary:
      'Batch import: `files` parts, each one package or an array of them; `media` parts that items name',
    query: DryRun,
    body: Type.Object({
      /** What is to become of single items; the others are checked by the service alone. */
      items: Type.Optional(
        Type.Array(
          Type.Object({
            /** Place of the `files` part, and of the item within its array. */
            file: Type.Integer({ minimum: 0 }),
            index: Type.Integer({ minimum: 0 }),
            /** The plugin it becomes a version of; null: a new plugin, whatever looks alike. */
            plugin_key: Type.Optional(Nullable(PluginKey)),
            /** Given by hand: its name in its own language, and its number. */
            name: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
            version: Type.Optional(Type.String({ maxLength: 64 })),
            /** As in the form for one plugin: it goes before what the package says. */
            listing: Type.Optional(ListingFields),
            icon: Type.Optional(MediaPlace),
            cover: Type.Optional(MediaPlace),
            panel: Type.Optional(MediaPlace),
            /** Pictures and videos; `media_order` of `listing` counts these. */
            media: Type.Optional(Type.Array(MediaPlace, { maxItems: MEDIA_MAX })),
            skip: Type.Optional(Type.Literal(true)),
          }),
          { maxItems: 50 },
        ),
      ),
    }),
    data: Type.Object({ results: Type.Array(BatchResult) }),
  }),
  matchPackages: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/plugins/match',
    access: 'admin',
    summary: 'Which plugins packages would become versions of',
    body: Type.Object({
      packages: Type.Array(
        Type.Object({
          external_id: Nullable(Type.String({ maxLength: 200 })),
          name: Type.String({ maxLength: 200 }),
        }),
        { maxItems: 50 },
      ),
    }),
    data: Type.Object({
      /** One per package, in its order. */
      matches: Type.Array(
        Type.Object({
          /** The one that is taken when nothing is chosen. */
          plugin_key: Nullable(PluginKey),
          candidates: Type.Array(
            Type.Object({ plugin_key: PluginKey, name: Type.String(), last_version: Type.String() }),
          ),
        }),
      ),
    }),
  }),
};
