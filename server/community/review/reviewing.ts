import type { Language } from '../../../shared/languages.ts';
import type { Caller } from '../auth/caller.ts';

/** Who looks or decides, in which language, and when (milliseconds since 1970). */
export type Reviewing = { caller: Caller; language: Language; now: number };
