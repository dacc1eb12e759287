// Shaarli, from Debian: bookmarks in one file, which is read on each request and written on each change.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { phpOf, phpRoot, servedByPhp } from './php.mjs';

const SECRET = 'a secret of the benchmark';
const SETTINGS = {
  api: { enabled: true, secret: SECRET },
  credentials: { login: 'reader', hash: 'x', salt: 'y' },
  general: { timezone: 'UTC', title: 'Bench', enable_async_metadata: false },
  updates: { check_updates: false },
};

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token is valid for nine minutes, so each call gets a new one. */
function headers() {
  const issued = Math.floor(Date.now() / 1000) - 5;
  const text = `${encoded({ typ: 'JWT', alg: 'HS512' })}.${encoded({ iat: issued })}`;
  const signature = createHmac('sha512', SECRET).update(text).digest('base64url');
  return { authorization: `Bearer ${text}.${signature}`, 'content-type': 'application/json' };
}

/** Replaces absolute paths of the Debian package. Raises its limit of 128 MB, which 50,000 bookmarks exceed. */
function moved(root, folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of names.filter((one) => one.isFile() && one.name.endsWith('.php'))) {
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const changed = text
      .replaceAll(/(?<=['"])\/(?=(?:usr\/share|var\/lib|var\/cache)\/shaarli)/g, `${root}/`)
      .replace(`ini_set('memory_limit', '128M');`, '');
    if (changed !== text) writeFileSync(path, changed);
  }
}

const linkOf = (at, title) => ({ url: `https://example.com/peers/${at}`, title, tags: ['later'] });

export const shaarli = {
  name: 'Shaarli 0.12.1',
  install(folder) {
    const root = phpRoot(folder);
    moved(root, join(root, 'usr/share/shaarli'));
    return { root };
  },
  start({ root }, { items, port }) {
    const data = join(root, 'var/lib/shaarli/data');
    rmSync(data, { recursive: true });
    for (const path of ['tmp', 'pagecache', 'cache']) {
      mkdirSync(join(root, 'var/cache/shaarli', path), { recursive: true });
    }
    mkdirSync(data);
    writeFileSync(join(data, 'config.json.php'), `<?php /*\n${JSON.stringify(SETTINGS)}\n*/ ?>`);
    const home = join(root, 'usr/share/shaarli');
    const [program, settings] = phpOf(root);
    const fill = fileURLToPath(new URL('shaarli-fill.php', import.meta.url));
    execFileSync(program, [...settings, fill, home, String(items)]);
    return servedByPhp(root, home, port);
  },
  calls: {
    list: () => ['/api/v1/links?limit=30', { headers: headers() }],
    add: (at) => [
      '/api/v1/links',
      { method: 'POST', headers: headers(), body: JSON.stringify(linkOf(at, 'Saved')) },
    ],
    update: (at, items) => [
      `/api/v1/links/${(at * 7) % items}`,
      { method: 'PUT', headers: headers(), body: JSON.stringify(linkOf(`u${at}`, 'Changed')) },
    ],
    // The history lists changes without the bookmarks. Each bookmark would need another call.
    delta: () => {
      const since = encodeURIComponent(new Date(Date.now() - 1000).toISOString());
      return [
        `/api/v1/history?since=${since.replace(/\.\d+Z$/, '%2B00:00')}`,
        { headers: headers() },
      ];
    },
  },
};
