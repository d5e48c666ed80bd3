import { expect as playwrightExpect } from '@playwright/test';
import { TIMEOUT_MS } from './page.ts';

/** Assertions about elements, which wait until they hold: a page changes after its heading is there. */
export const expect = playwrightExpect.configure({ timeout: TIMEOUT_MS });
