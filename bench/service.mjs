// Runs the built service on a benchmark database, on a free port, without limits.
import { spawn } from 'node:child_process';

import { SECRET, TTL } from './admission.mjs';
import { freePort } from './free-port.mjs';

const settingsOf = (url, directory) => ({
  ...{ DATABASE_URL: url, DATA_DIR: directory, JWT_SECRET: SECRET, SESSION_SECRET: SECRET },
  ...{ ACCESS_TOKEN_TTL: String(TTL), RESOLVER_CONCURRENCY: '1', ANSWER_CACHE_MB: '0' },
  ...{ CALL_LIMIT_PER_USER: '100000000', CALL_LIMIT_PER_KEY: '100000000' },
});

/**
 * Starts the service and waits up to two minutes for it. Returns process and address. `options` are for Node, `variables` are additional
 * settings.
 */
export async function startedService(url, directory, { options = [], variables = {} } = {}) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [...options, 'dist/src/main.js'], {
    env: { ...process.env, ...settingsOf(url, directory), PORT: port, ...variables },
    stdio: 'ignore',
  });
  const address = `http://127.0.0.1:${port}`;
  for (let wait = 0; wait < 1200 && child.exitCode === null; wait += 1) {
    const health = await fetch(`${address}/health`).catch(() => undefined);
    if (health?.ok) return { child, address };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error('the service has not started');
}

/** Stops a process and waits for its end. If it has ended already, this is a no-op. */
export async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}
