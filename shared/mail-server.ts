/** A mail server and how it is reached. */
export type MailServer = {
  host: string;
  port: number;
  /** `implicit`: TLS from the first byte; `starttls`: demanded before anything is said; `none`: in the clear. */
  tls: 'implicit' | 'starttls' | 'none';
  user?: string;
  password?: string;
};
