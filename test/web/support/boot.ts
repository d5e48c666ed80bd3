import type { Boot } from '../../../shared/boot.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { NOW } from './answers.ts';

export const ANONYMOUS = { signed_in: false, user: null, role: null, login_method: null, expires_at: null };

/** The gateway's page data for an anonymous visitor of the domestic site. */
export function bootWith(changes: Partial<Boot> = {}): Boot {
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
    ...changes,
  };
}
