/** The parts of panva's provider that we use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Grant = {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };

  /** `iat` and `exp` in seconds since 1970. */
  export type Interaction = {
    uid: string;
    prompt: { name: string };
    params: Record<string, unknown>;
    session?: { accountId: string };
    iat: number;
    exp: number;
    /** The user's answer; set once. */
    result?: unknown;
    /** Where the browser continues. */
    returnTo: string;
  };

  /** What a device asks for, and the user's answer. `iat` in seconds since 1970. */
  export type DeviceCode = {
    clientId: string;
    params: Record<string, unknown>;
    iat: number;
    accountId?: string;
    authTime?: number;
    grantId?: string;
    scope?: string;
    resource?: string;
    error?: string;
    errorDescription?: string;
    save(): Promise<string>;
  };

  /** Of Koa. */
  type Context = {
    oidc?: { route: string };
    status: number;
    body: unknown;
    /** Takes a header out of the response. */
    remove(header: string): void;
  };

  type Client = { clientId: string; clientName?: string; clientUri?: string };
  type Options = { mergeWithLastSubmission: boolean };
  type Failure = { error?: string; error_detail?: string };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    /** Whether addresses of the request come from X-Forwarded headers. */
    proxy: boolean;
    readonly Grant: new (about: {
      accountId: string;
      clientId: string;
      jti?: string;
    }) => Grant;
    readonly Client: {
      find(id: string): Promise<Client | undefined>;
      /** @throws errors.InvalidClientMetadata */
      validate(metadata: Record<string, unknown>): Promise<void>;
    };
    readonly DeviceCode: { findByUserCode(code: string): Promise<DeviceCode | undefined> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    /** @throws errors.SessionNotFound */
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    /** Stores the result. @returns where the browser continues */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: Options,
    ): Promise<string>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: Options,
    ): Promise<void>;
    on(event: string, listener: (context: unknown, failure: Failure) => void): void;
  }

  type FailureClass = new (description?: string) => Error;
  export const errors: Readonly<
    Record<'InvalidGrant' | 'InvalidTarget' | 'SessionNotFound' | 'SlowDown', FailureClass>
  >;
}
