/** The part of the analytics library that is used here; the package describes its other builds alone. */
declare module 'sa-sdk-javascript/dist/v2/sensorsdata.es6.js' {
  type Properties = Record<string, string | number | boolean>;

  type Sensors = {
    /** What `init` was told, and what was made of it. */
    para: { send_type: string };
    /** Has the last word on every event and profile; to be called before `init`. */
    registerPropertyPlugin(plugin: {
      properties(event: { properties?: Record<string, unknown> }): void;
    }): void;
    init(settings: object): void;
    /** Sends a page view; the page before it is the referrer. */
    quick(name: 'autoTrackSinglePage'): void;
    quick(name: 'getAnonymousID'): string;
    /** Properties of every event from here on. */
    registerPage(properties: Properties): void;
    login(id: string): void;
    logout(): void;
    setProfile(profile: Properties): void;
    /** A new anonymous id, for somebody who has logged out. */
    resetAnonymousIdentity(): void;
    /** From here on every call but enableSDK does nothing. */
    disableSDK(): void;
    enableSDK(): void;
  };

  const sensors: Sensors;
  export default sensors;
  export type { Sensors };
}
