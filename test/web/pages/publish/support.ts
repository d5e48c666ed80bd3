import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { NO_FILES, type PublishFiles } from '../../../../web/pages/publish/form/files.ts';
import type { PublishState } from '../../../../web/pages/publish/form/sending/publish-payload.ts';
import { emptyValues, type PublishValues } from '../../../../web/pages/publish/form/values.ts';

const KEY = 'a'.repeat(64);

export const PICTURE = { key: KEY, width: 640, height: 360, widths: [320, 640] };

/** Values of a complete form. */
export function fullValues(changes: Partial<PublishValues> = {}): PublishValues {
  return {
    ...emptyValues('en-US'),
    name: { 'en-US': 'Frame Counter' },
    intro: { 'en-US': 'Counts frames.' },
    description: { 'en-US': 'It counts.' },
    contact: 'help@example.com',
    version_note: { 'en-US': 'First.' },
    ...changes,
  };
}

export function codeFile(): File {
  return new File(['{}'], 'code.json');
}

/** A new plugin that can be sent. */
export function newState(changes: Partial<PublishState> = {}): PublishState {
  const files: PublishFiles = { ...NO_FILES, code: codeFile() };
  return { values: fullValues(), files, includesVersion: true, packaged: [], ...changes };
}

/** An existing plugin whose listing is edited, without changes. */
export function editState(changes: Partial<PublishState> = {}): PublishState {
  const original = { values: fullValues(), files: NO_FILES };
  return { ...original, original, includesVersion: false, packaged: [], ...changes };
}

export function editable(changes: Partial<EditablePlugin> = {}): EditablePlugin {
  return {
    plugin_key: 'frame-counter-key',
    submission_id: 7,
    listing: {
      default_lang: 'en-US',
      name: { 'en-US': 'Frame Counter' },
      intro: { 'en-US': 'Counts frames.' },
      description: { 'en-US': 'It counts.' },
      support: {},
      tags: ['data'],
      contact: 'help@example.com',
      copyright: { kind: 'author', holder: '' },
      plugin_mark: '',
      icon: null,
      cover: PICTURE,
      panel: null,
      media: [
        { kind: 'image', picture: PICTURE },
        { kind: 'video', url: `/api/cmt/media/${'b'.repeat(64)}.mp4`, mime_type: 'video/mp4' },
      ],
    },
    audit_status: 2,
    reason: null,
    findings: [],
    version: '1.2.0',
    version_kind: 'new',
    version_note: { 'en-US': 'First.' },
    last_version: '1.3.0-beta.1',
    current_version: '1.2.0',
    ...changes,
  };
}

/** A store like the browser's. */
export function textStorage(full = false): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    key: (place) => [...kept.keys()][place] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => {
      if (full) throw new Error('QuotaExceededError');
      kept.set(key, value);
    },
  };
}
