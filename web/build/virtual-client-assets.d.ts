declare module 'virtual:client-assets' {
  /** What the client build has made (web/build/client-assets.ts). */
  export const assets: import('./client-assets.ts').ClientAssets;
}
