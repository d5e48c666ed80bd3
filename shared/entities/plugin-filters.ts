import { type Static, Type } from 'typebox';
import { FILTER_NAMES, FILTER_TAGS_MAX, REACHES, UPDATED_WITHIN } from '../constants.ts';
import { LANGUAGES } from '../languages.ts';
import { HOST_ID } from '../package/hosts.ts';
import { REQUIRED } from './base.ts';

/** The filters of lists of plugins; a plugin must fit all of them. */
export const PluginFilters = {
  tags: Type.Optional(
    Type.String({
      pattern: `^[1-9]\\d{0,8}(,[1-9]\\d{0,8}){0,${FILTER_TAGS_MAX - 1}}$`,
      description: 'Ids of tags that plugins must have, all of them, separated by commas',
    }),
  ),
  reach: Type.Optional(
    Type.Enum(REACHES, {
      description:
        'What plugins may reach at most: nothing (no network and no permissions), offline (no network), named (only the domains that they name)',
    }),
  ),
  warnings: Type.Optional(
    Type.Literal('none', { description: 'Only plugins whose package was checked without warnings' }),
  ),
  verified: Type.Optional(Type.Literal('publisher', { description: 'Only plugins of verified publishers' })),
  editor: Type.Optional(
    Type.String({ pattern: HOST_ID.source, description: 'Id of a design tool that plugins must work in' }),
  ),
  lang: Type.Optional(Type.Enum(LANGUAGES, { description: 'A language that all texts are written in' })),
  updated: Type.Optional(
    Type.Enum(UPDATED_WITHIN, { description: 'How long ago plugins were updated at most, in days of UTC' }),
  ),
};

/** A value of a filter, and how many plugins there would be with it. */
export const FacetValue = Type.Object({
  /** As the parameter has it; for `tags`, one id. */
  value: Type.String(REQUIRED),
  count: Type.Integer(),
  /** Whether the count was estimated from a part of the plugins. */
  is_estimated: Type.Boolean(),
});

/** A filter with its values, most frequent first or in their order. */
export const Facet = Type.Object({
  name: Type.Enum(FILTER_NAMES, REQUIRED),
  /** How many plugins there would be without this filter. */
  without: Type.Integer(),
  is_estimated: Type.Boolean(),
  value_list: Type.Array(FacetValue),
});
export type Facet = Static<typeof Facet>;
