declare module 'virtual:client-assets' {
  import type { ClientAssets } from './client-assets.ts';

  /** What the client build has made (web/build/client-assets.ts). */
  export const assets: ClientAssets;
}
