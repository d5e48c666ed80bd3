import pg from 'pg';

/** A hash of the rows of every table of the product, by `schema.table`. */
export async function tableHashes(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('community', 'identity') and tablename not like 'kysely%' order by 1`,
    );
    const hashes: Record<string, string> = {};
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as hash from ${name} t`,
      );
      hashes[name] = found[0]?.hash ?? '';
    }
    return hashes;
  } finally {
    await client.end();
  }
}
