// Exits with 0 if a PostgreSQL server answers at the URL.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 2000 });
client.on('error', () => process.exit(1));
try {
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
} catch {
  process.exit(1);
}
