/** `npm run schema` writes the table types of a database with all migrations. */
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { testDatabase } from '../support/database.ts';
import { generateTables, TYPED_SERVICES } from './tables.ts';

for (const service of TYPED_SERVICES) {
  t.test(`the table types of ${service.schema} are those of its database`, async (t) => {
    const { db } = await testDatabase(t, service);
    const text = await generateTables(db, service);
    if (process.env.SCHEMA === 'write') writeFileSync(service.file, text);
    t.equal(text, readFileSync(service.file, 'utf8'), 'run npm run schema');
  });
}
