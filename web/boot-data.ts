import type { DehydratedState } from '@tanstack/react-query';
import { jsonForMarkup } from '../shared/escape-markup.ts';
import type { Site } from './api/site-context.ts';

const BOOT_ID = 'boot';

/** Id of the element that says so when a page doesn't start. */
export const START_ID = 'start';

/** The data in a document: site facts and the dehydrated queries. */
export type BootData = { site: Site; dehydrated: DehydratedState };

/** Reads the document's boot data. @throws when the document has none. */
export function readBoot(document: Document): BootData {
  const text = document.getElementById(BOOT_ID)?.textContent;
  if (!text) throw new Error('The document has no boot data.');
  return JSON.parse(text);
}

/** The script element with the boot data. */
export function bootScript(boot: BootData): string {
  return `<script type="application/json" id="${BOOT_ID}">${jsonForMarkup(boot)}</script>`;
}
