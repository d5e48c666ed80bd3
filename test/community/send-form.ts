import sharp from 'sharp';
import type { Answer } from './ask.ts';

/** Sends a form: texts as they are, other values as JSON, bytes as a file. Undefined ones are left out. */
export async function sendForm(
  url: string,
  path: string,
  headers: Record<string, string>,
  parts: Record<string, unknown>,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (value instanceof Uint8Array) form.set(name, new Blob([new Uint8Array(value)]), 'picture.png');
    else if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const response = await fetch(`${url}/api/cmt/${path}`, { method: 'PUT', headers, body: form });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** A picture of one colour. */
export function picture(width: number, height: number, colour = '#3366ff'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();
}
