// Serves Karakeep's REST API to one new user, whose API key it sends to the parent process. Bundled by
// karakeep-sources.mjs, which also finds the imports in a checkout of Karakeep.
import { serve } from '@hono/node-server';
import api from '@karakeep/api';
import { db } from '@karakeep/db';
import { prepareQueue } from '@karakeep/shared-server';
import { authenticateApiKey, generateApiKey } from '@karakeep/trpc/auth';
import { User } from '@karakeep/trpc/models/users';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { Hono } from 'hono';

/** Like Karakeep's web process, without its browser sessions. */
async function authenticated(context, next) {
  const token = (context.req.header('authorization') ?? '').replace('Bearer ', '');
  const found = await authenticateApiKey(token, db).catch(() => undefined);
  const auth = found && { type: 'apiKey', ...found.apiKey };
  context.set('ctx', { user: found?.user ?? null, auth: auth ?? null, db, req: { ip: null } });
  await next();
}

process.on('disconnect', () => process.exit());
migrate(db, { migrationsFolder: process.env.KARAKEEP_MIGRATIONS });
await prepareQueue();
const user = await User.createRaw(db, { name: 'Reader', email: 'reader@example.com' });
const { key } = await generateApiKey('bench', user.id, db, ['fullaccess']);
const { fetch } = new Hono().basePath('/api').use(authenticated).route('/', api);
serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.send({ address: `http://127.0.0.1:${port}`, key });
});
