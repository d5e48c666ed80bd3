import { useEffect } from 'react';
import type { Language } from '../../../shared/languages.ts';
import { onDone } from '../../api/client.ts';
import { useSite } from '../../api/site-context.ts';
import { tabStorage } from '../../api/tab-storage.ts';
import { chooseLanguage } from '../../features/preferences/language-choice.ts';
import { chooseTheme } from '../../features/preferences/theme-choice.ts';
import { hearTool, tellTool } from './bridge.ts';
import { toldChanges } from './told-changes.ts';
import { bridgeWindow } from './use-tool.ts';

/** Storage key with the language that the tool has asked for. */
const ASKED = 'tool_language';

/** Hears the design tool around this page, and tells it what happens. In the browser only. */
export function ToolBridge() {
  const { tool_origins: origins, language, languages } = useSite();
  useEffect(() => {
    if (!origins) return;
    const show = (asked: Language): void => {
      // A browser that keeps no cookie here would load the page again and again.
      const isRefused = asked === language || tabStorage().getItem(ASKED) === asked;
      if (isRefused || !languages.includes(asked)) return;
      tabStorage().setItem(ASKED, asked);
      chooseLanguage(asked, language);
    };
    const endHearing = hearTool(bridgeWindow(), origins, (message) => {
      if (message.type === 'theme') chooseTheme(message.theme);
      else show(message.language);
    });
    const endTelling = onDone((operation, change) => {
      for (const message of toldChanges(operation, change)) tellTool(bridgeWindow(), origins, message);
    });
    tellTool(bridgeWindow(), origins, { type: 'ready' });
    return () => {
      endHearing();
      endTelling();
    };
  }, [origins, language, languages]);
  return null;
}
