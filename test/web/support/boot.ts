import type { Boot, ServerEntry } from '../../../shared/boot.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { answered, NOW } from './answers.ts';

export const ANONYMOUS = { signed_in: false, user: null, role: null, login_method: null, expires_at: null };

/** What the gateway would send with the page at `url`: an anonymous visitor of the domestic site. */
export function bootFor(entry: ServerEntry, url: string, changes: Partial<Boot> = {}): Boot {
  return {
    now: NOW,
    language: 'en-US',
    languages: LANGUAGES,
    theme: 'system',
    deploy_type: 'domestic',
    public_url: 'https://square.example',
    site_url: 'https://square.example',
    own_help: true,
    client: 'browser',
    embedded: false,
    login_frame: true,
    sign_up: true,
    login_origin: 'https://square.example',
    own_accounts: true,
    analytics: null,
    session: ANONYMOUS,
    answered: entry.queries(url).map(answered),
    ...changes,
  };
}
