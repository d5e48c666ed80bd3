import type { JsonObject } from '../../../../shared/package/package.ts';

export type Parts = Record<string, string | Blob | (string | Blob)[] | undefined>;

/** A package that is all right; `main` makes one unlike another. */
export function packageText(change: JsonObject = {}, main = 'console.log(1);\n'): string {
  return JSON.stringify({
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      name: 'Grid Keeper',
      api: '1.0.0',
      main: 'main.js',
      editorType: ['pixso'],
      networkAccess: { allowedDomains: ['none'] },
    },
    files: { 'main.js': main },
    ...change,
  });
}

export function jsonFile(text: string | Uint8Array<ArrayBuffer>, name = 'plugin.json'): File {
  return new File([text], name, { type: 'application/json' });
}

export const FIELDS = {
  default_lang: 'en-US',
  name: '{"en-US":"Grid Keeper","zh-CN":"网格管家"}',
  intro: '{"en-US":"Keeps the grid"}',
  description: '{"en-US":"It keeps the grid of a page."}',
  contact: 'maker@example.com',
  version: '1.0.0',
  version_note: '{"en-US":"First"}',
};

/** A valid form with changed parts; undefined leaves a part out. */
export function pluginForm(change: Parts = {}): FormData {
  const parts: Parts = { ...FIELDS, code: jsonFile(packageText()), ...change };
  return formOf(parts);
}

export function formOf(parts: Parts): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    for (const one of value === undefined ? [] : [value].flat()) {
      if (typeof one === 'string') form.append(name, one);
      else form.append(name, one, one instanceof File ? one.name : name);
    }
  }
  return form;
}
