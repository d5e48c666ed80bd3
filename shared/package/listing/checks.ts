import { TEXT_LIMITS } from '../../constants.ts';
import { isLanguage, LANGUAGES } from '../../languages.ts';
import { type Check, isObject, isOtherType, oneOf, shape, text } from '../manifest/checks.ts';
import { isVersion } from '../version.ts';
import { icon } from './icon.ts';

/** Characters that turn a text's direction or have no width, by which one name is made to look like another. */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00ad]|(?![\n\r\t])\p{Cc}/u;

/** A text that people read. */
function shown(limit: number): Check {
  const isText = text({ limit });
  return (value, path, context) => {
    isText(value, path, context);
    const hidden = typeof value === 'string' ? INVISIBLE.exec(value)?.[0] : undefined;
    if (hidden === undefined) return;
    const found = `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    context.report.value(path, 'TEXT_INVISIBLE', { found });
  };
}

/** One text, or one per language. */
function texts(limit: number): Check {
  const isShown = shown(limit);
  return (value, path, context) => {
    if (isOtherType(value, ['string', 'object'], path, context)) return;
    if (!isObject(value)) isShown(value, path, context);
    else {
      for (const [language, entry] of Object.entries(value)) {
        if (isLanguage(language)) isShown(entry, [...path, language], context);
        else context.report.key([...path, language], 'LANGUAGE_UNKNOWN', { language });
      }
    }
  };
}

const tags: Check = (value, path, context) => {
  const { report, limits } = context;
  if (isOtherType(value, ['array'], path, context) || !Array.isArray(value)) return;
  if (value.length > limits.tags) {
    report.value([...path, limits.tags], 'TOO_MANY_TAGS', { limit: String(limits.tags) });
  }
  const isTag = text({ limit: 64, isFilled: true });
  for (const [index, tag] of value.slice(0, limits.tags).entries()) {
    isTag(tag, [...path, index], context);
    if (typeof tag === 'string' && value.indexOf(tag) < index) {
      report.value([...path, index], 'VALUE_DUPLICATE', { value: tag });
    }
  }
};

const version: Check = (value, path, context) => {
  if (isOtherType(value, ['string'], path, context) || typeof value !== 'string') return;
  if (!isVersion(value)) context.report.value(path, 'VERSION_INVALID', { version: value });
};

/** Judges what a package says of its plugin (design section 7). */
export const checkListing: Check = shape({
  defaultLanguage: oneOf(LANGUAGES),
  name: texts(TEXT_LIMITS.name),
  intro: texts(TEXT_LIMITS.intro),
  description: texts(TEXT_LIMITS.description),
  tags,
  contact: shown(TEXT_LIMITS.contact),
  support: shown(TEXT_LIMITS.description),
  copyright: shown(TEXT_LIMITS.contact),
  version,
  versionNote: texts(TEXT_LIMITS.version_note),
  icon,
});
