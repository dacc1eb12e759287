// Runs the built service as its own process. It only fetches from the local page server.
import { spawn } from 'node:child_process';

import { SECRET, TTL } from '../admission.mjs';
import { freePort } from '../free-port.mjs';

const answers = (url) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

export async function startService({ database, directory, pages, concurrency }) {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      ...process.env,
      DATABASE_URL: database,
      DATA_DIR: directory,
      JWT_SECRET: SECRET,
      SESSION_SECRET: SECRET,
      ACCESS_TOKEN_TTL: String(TTL),
      PORT: String(port),
      RESOLVER_CONCURRENCY: String(concurrency),
      RESOLVER_PAGES_PER_HOUR: '0',
      CALL_LIMIT_PER_USER: '0',
      CALL_LIMIT_PER_KEY: '0',
      RESOLVER_ALLOW_ADDRESSES: pages?.hosts.join(',') ?? '',
      RESOLVER_ALLOW_PORTS: pages === undefined ? '' : String(pages.port),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (let wait = 0; wait < 300 && !(await answers(url)); wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const post = async (path, members) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(members),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { url, pid: child.pid, post, stop };
}
