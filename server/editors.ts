import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { HOST_ID } from '../shared/package/hosts.ts';
import { VISIBLE } from '../shared/visible-text.ts';
import type { Parse } from './setting-parsers.ts';

/** A design tool that runs the plugins. */
const Editor = Type.Object(
  {
    /** As packages name it, in `engines` and `editorType`. */
    id: Type.String({ pattern: HOST_ID.source }),
    name: Type.String({ minLength: 1, maxLength: 64, pattern: VISIBLE }),
    /** Opens a plugin in it: an address with `{plugin_key}`. */
    openUrl: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  { additionalProperties: false },
);
export type Editor = Static<typeof Editor>;

export const DEFAULT_EDITORS: Editor[] = [{ id: 'pixso', name: 'Pixso' }];

const PLACE = '{plugin_key}';
/** Schemes that browsers and systems handle themselves: a link with one would not open a design tool. */
const TAKEN = new Set([
  ...['http', 'javascript', 'data', 'vbscript', 'file', 'blob', 'filesystem', 'about', 'view-source'],
  ...['ftp', 'ws', 'wss', 'mailto', 'tel', 'sms', 'intent'],
]);

/** Reads EDITORS, a JSON array with one object for each tool. */
export const editors: Parse<Editor[]> = (value) => {
  const list = parsed(value);
  if (!Array.isArray(list)) throw new Error('must be a JSON array such as [{"id":"pixso","name":"Pixso"}]');
  const read = list.map((editor: unknown, index) => {
    if (!Check(Editor, editor))
      throw new Error(
        `must have an id such as "pixso" and a name in each object, not so in object ${index + 1}`,
      );
    if (editor.openUrl !== undefined && !isOpenUrl(editor.openUrl))
      throw new Error(
        `must have an openUrl with ${PLACE}, of https or of a scheme of the tool itself, not "${editor.openUrl}"`,
      );
    return editor;
  });
  const ids = read.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`must have each tool once, "${twice}" is there twice`);
  return read;
};

function isOpenUrl(text: string): boolean {
  const url = text.includes(PLACE) ? URL.parse(text.replaceAll(PLACE, 'key')) : null;
  if (!url || /\s/.test(text)) return false;
  // The key may not decide where a link leads.
  if (url.protocol === 'https:') return URL.parse(text.replaceAll(PLACE, 'other'))?.origin === url.origin;
  return !TAKEN.has(url.protocol.slice(0, -1)) && !text.startsWith(PLACE);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
