import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import type { PublishValues } from './publish-values.ts';
import { suggestedVersion } from './suggested-version.ts';

/**
 * A plugin as the form shows it. With a version to come, its number is suggested and its kind and note are still to be
 * written; else they are those of the version that was handed in last.
 */
export function editableValues(plugin: EditablePlugin, bringsVersion: boolean): PublishValues {
  const { listing, version, version_kind, version_note, last_version } = plugin;
  const { copyright } = listing;
  return {
    default_lang: listing.default_lang,
    name: listing.name,
    intro: listing.intro,
    description: listing.description,
    tags: listing.tags,
    contact: listing.contact,
    support: listing.support,
    copyright_kind: copyright.kind,
    copyright_holder: copyright.kind === 'custom' ? copyright.holder : '',
    plugin_mark: listing.plugin_mark,
    ...(bringsVersion
      ? { version: suggestedVersion(last_version, 'new'), version_kind: 'new', version_note: {} }
      : { version, version_kind, version_note }),
  };
}
