import type { Payload } from '../../../../api/call.ts';
import { mediaToSend, PICTURES, type PictureName, type PublishFiles } from '../files.ts';
import {
  changedNames,
  isSame,
  type PublishValues,
  pick,
  trimmedTexts,
  VALUE_NAMES,
  type ValueName,
  withFormat,
} from '../values.ts';

/** The current and the initial content of the form; the latter is absent for a new plugin. */
export type PublishState = {
  values: PublishValues;
  files: PublishFiles;
  original?: { values: PublishValues; files: PublishFiles } | undefined;
  /** Sends a new version. */
  includesVersion: boolean;
  /** Fields that the package has too: they are always sent, as the service would otherwise use the package's. */
  packaged: readonly ValueName[];
  /** The package has an icon, which the service would use. */
  hasIcon?: boolean;
};

/** The fields of R 5.2 to send: all of a new plugin, else the changed ones. */
export function publishPayload(state: PublishState): Payload {
  const { values, files, original, includesVersion, packaged } = state;
  const now = wireValues(values);
  const changed = original ? changedNames(now, wireValues(original.values)) : VALUE_NAMES;
  const wanted = VALUE_NAMES.filter((name) => {
    if (name.startsWith('version') && includesVersion) return original !== undefined || !isEmpty(now[name]);
    if (packaged.includes(name)) return now[name] !== null;
    return (
      name !== 'version' &&
      now[name] !== null &&
      changed.includes(name) &&
      (original !== undefined || !isEmpty(now[name]))
    );
  });
  return {
    ...pick(now, withFormat(wanted, now)),
    ...pictures(files),
    ...stored(state),
    ...media(files, original?.files),
    ...(files.code && includesVersion ? { code: files.code } : {}),
  };
}

/** True when there is nothing to send. */
export function isUnchanged(state: PublishState): boolean {
  return state.original !== undefined && Object.keys(publishPayload(state)).length === 0;
}

/** Converts values for sending. */
export function wireValues(values: PublishValues): PublishValues {
  const { copyright_kind, copyright_holder } = values;
  return {
    ...values,
    name: trimmedTexts(values.name),
    intro: trimmedTexts(values.intro),
    description: trimmedTexts(values.description),
    support: trimmedTexts(values.support),
    version_note: trimmedTexts(values.version_note),
    contact: values.contact.trim(),
    license: values.license.trim(),
    home_page: values.home_page.trim(),
    source_url: values.source_url.trim(),
    issues_url: values.issues_url.trim(),
    data_collected: values.data_collected && {
      ...values.data_collected,
      other: trimmedTexts(values.data_collected.other),
    },
    copyright_holder: copyright_kind === 'custom' ? copyright_holder.trim() : '',
    plugin_mark: values.plugin_mark.trim(),
    version: values.version.trim(),
  };
}

function isEmpty(value: PublishValues[ValueName]): boolean {
  if (value === null) return true;
  return typeof value === 'object' ? Object.keys(value).length === 0 : value === '';
}

function pictures(files: PublishFiles): Payload {
  return Object.fromEntries(
    PICTURES.flatMap((name) => {
      const choice = files[name];
      return choice.state === 'chosen' ? [[name, choice.file]] : [];
    }),
  );
}

/** Removed pictures, a declaration that is unsaid, and an icon that stays although the package has one. */
function stored({
  values,
  files,
  original,
  includesVersion,
  packaged,
  hasIcon = false,
}: PublishState): Payload {
  const packageHasIcon = includesVersion && hasIcon;
  const isThere = (name: PictureName): boolean =>
    original?.files[name].state === 'stored' || (name === 'icon' && packageHasIcon);
  const isDeclared =
    (original?.values.data_collected ?? null) !== null || packaged.includes('data_collected');
  const remove = [
    ...PICTURES.filter((name) => files[name].state === 'none' && isThere(name)),
    ...(values.data_collected === null && isDeclared ? ['data_collected'] : []),
  ];
  return {
    ...(remove.length > 0 && { remove }),
    ...(files.icon.state === 'stored' && packageHasIcon && { keep: ['icon'] }),
  };
}

function media(files: PublishFiles, before: PublishFiles | undefined): Payload {
  const { order, files: chosen } = mediaToSend(files.media);
  if (isSame(order, mediaToSend(before?.media ?? []).order)) return {};
  return { media_order: order, ...(chosen.length > 0 ? { media: chosen } : {}) };
}
