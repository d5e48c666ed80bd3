/** A program that sends mails from the queue of a database until it is killed. */
import pino from 'pino';
import { openKysely, openPool } from '../../../../server/database/pool.ts';
import { createEncryptor } from '../../../../server/encryption/encryptor.ts';
import { createMailer } from '../../../../server/identity/mail/mailer.ts';
import { markInterruptedMails, sendDueMail } from '../../../../server/identity/mail/queue.ts';
import { type IdentityTables, SCHEMA } from '../../../../server/identity/schema.ts';

const [url = '', port = ''] = process.argv.slice(2);
const log = pino();
const pool = openPool(url, { applicationName: 'sender', schema: SCHEMA, log });
const sending = {
  db: openKysely<IdentityTables>(pool),
  now: Date.now,
  encryptor: createEncryptor([Buffer.alloc(32)], 'identity'),
  publicUrl: 'https://square.example',
  mailer: createMailer({
    server: { host: '127.0.0.1', port: Number(port), tls: 'none' },
    from: 'square@example.org',
    timeout: 60_000,
  }),
  log,
  lease: 1000,
};
for (;;) {
  await markInterruptedMails(sending);
  if ((await sendDueMail(sending)) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
}
