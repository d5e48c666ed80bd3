import {
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_VALUES,
  LANGUAGE_PARAMETER,
  type Language,
} from '../../../shared/languages.ts';
import { isInTool } from '../../api/in-tool.ts';
import { leavePage } from '../../loading/connection.ts';
import { storePreference } from './preference-cookie.ts';

/** Tells a browser's other tabs the chosen language. */
const CHANNEL = 'language';

/** Shows the page in the stored language, whatever its address asked for. */
export function showStoredLanguage(): void {
  const address = new URL(location.href);
  const isAsked = address.searchParams.has(LANGUAGE_PARAMETER);
  address.searchParams.delete(LANGUAGE_PARAMETER);
  leavePage(() => (isAsked ? location.replace(address) : location.reload()));
}

/** Stores the language, tells the other tabs, and shows this one in it. Inside a design tool it is the tool's choice alone. */
export function chooseLanguage(chosen: Language, current: Language): void {
  if (chosen === current) return;
  storePreference(document, LANGUAGE_COOKIE, LANGUAGE_COOKIE_VALUES[chosen]);
  if (!isInTool()) {
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(chosen);
    channel.close();
  }
  showStoredLanguage();
}

/** Calls back when another tab chooses a language. Returns a function that ends it. */
export function onChosenElsewhere(tell: (language: unknown) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => tell(data);
  return () => channel.close();
}
