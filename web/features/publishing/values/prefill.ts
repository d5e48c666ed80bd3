import { TAGS_MAX } from '../../../../shared/constants.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { isFilled } from '../../../../shared/package/listing-rules.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import { isVersion } from '../../../../shared/package/version.ts';
import { codeOfTag, type NamedTag } from '../../../../shared/tags.ts';
import type { PublishValues, TextsName, ValueName } from './publish-values.ts';

type Prefilled = { values: PublishValues; filled: ValueName[] };

type Facts = {
  /** What the tags there are may be called. */
  knownTags: readonly NamedTag[];
  /** A number that nobody has typed gives way to the package's. */
  isVersionFree: boolean;
};

/** Fields of the form that say nothing, filled from what a package says of itself; which ones were filled. */
export function prefilled(values: PublishValues, read: ReadPackage, facts: Facts): Prefilled {
  const found = { ...fieldsOf(values, read), ...versionOf(read, facts), ...tagsOf(values, read, facts) };
  const filled = Object.keys(found).filter((name): name is ValueName => name in values);
  return { values: { ...values, ...found }, filled };
}

function fieldsOf(values: PublishValues, { name, listing }: ReadPackage): Partial<PublishValues> {
  const language = listing.default_lang ?? values.default_lang;
  const isUntouched = !isFilled(values.name) && !isFilled(values.intro) && !isFilled(values.description);
  const names: Texts = listing.name ?? (name === '' ? {} : { [language]: name });
  const copyright = listing.copyright?.kind === 'custom' ? listing.copyright : undefined;
  return {
    ...(isUntouched && listing.default_lang ? { default_lang: listing.default_lang } : {}),
    ...textsOf('name', values, names),
    ...textsOf('intro', values, listing.intro),
    ...textsOf('description', values, listing.description),
    ...textsOf('version_note', values, listing.version_note),
    ...(isFilled(values.contact) || !listing.contact ? {} : { contact: listing.contact }),
    ...(isFilled(values.support) || !listing.support ? {} : { support: listing.support }),
    ...(copyright && values.copyright_holder === ''
      ? { copyright_kind: 'custom', copyright_holder: copyright.holder }
      : {}),
  };
}

/** Languages nobody has written in yet are taken over; a written one stays. */
function textsOf(field: TextsName, values: PublishValues, found: Texts | undefined): Partial<PublishValues> {
  const written = values[field];
  const added = Object.entries(found ?? {}).filter(([language, text]) => {
    return text.trim() !== '' && !isFilled(Object.entries(written).find(([key]) => key === language)?.[1]);
  });
  return added.length === 0 ? {} : { [field]: { ...written, ...Object.fromEntries(added) } };
}

function versionOf({ version }: ReadPackage, { isVersionFree }: Facts): Partial<PublishValues> {
  return isVersionFree && version !== null && isVersion(version) ? { version } : {};
}

function tagsOf(
  values: PublishValues,
  { listing }: ReadPackage,
  { knownTags }: Facts,
): Partial<PublishValues> {
  const found = (listing.tags ?? []).flatMap((named) => codeOfTag(knownTags, named) ?? []);
  const tags = [...new Set(found)].slice(0, TAGS_MAX);
  return values.tags.length > 0 || tags.length === 0 ? {} : { tags };
}
