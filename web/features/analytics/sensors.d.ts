/** Types of the library's build that is used here; the package only types its other builds. */
declare module 'sa-sdk-javascript/dist/v2/sensorsdata.es6.js' {
  type Properties = Record<string, string | number | boolean>;

  type Sensors = {
    para: { send_type: string };
    /** Edits every event and profile before it is sent; to be called before `init`. */
    registerPropertyPlugin(plugin: {
      properties(event: { properties?: Record<string, unknown> }): void;
    }): void;
    init(settings: object): void;
    /** Sends a page view; the previous page is the referrer. */
    quick(name: 'autoTrackSinglePage'): void;
    quick(name: 'getAnonymousID'): string;
    /** Sets properties of all following events. */
    registerPage(properties: Properties): void;
    login(id: string): void;
    logout(): void;
    setProfile(profile: Properties): void;
    /** Sets a new anonymous id after a logout. */
    resetAnonymousIdentity(): void;
    /** Disables every call but enableSDK. */
    disableSDK(): void;
    enableSDK(): void;
  };

  const sensors: Sensors;
  export default sensors;
  export type { Sensors };
}
