import type { Payload } from './call.ts';

/**
 * A payload as multipart/form-data: each file is a part under its own name, a string stays a string, lists and objects
 * are one JSON part. undefined and null are left out.
 */
export function multipartForm(payload: Payload): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(payload)) {
    if (value === undefined || value === null) continue;
    const files = filesIn(value);
    if (files) for (const file of files) appendFile(form, key, file);
    else form.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

function filesIn(value: unknown): Blob[] | undefined {
  if (value instanceof Blob) return [value];
  const isFiles = Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof Blob);
  return isFiles ? value : undefined;
}

function appendFile(form: FormData, key: string, file: Blob): void {
  if (file instanceof File) form.append(key, file, file.name);
  else form.append(key, file);
}
