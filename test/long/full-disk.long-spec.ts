import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { canMount } from '../support/many-instances/faulty-server.js';
import { type Finished, finished } from '../support/processes.js';

/** Runs in a mount namespace, so that the small file system is removed with the test. */
const SCRIPT = join(import.meta.dirname, '..', 'support', 'on-a-full-disk.mjs');

interface Outcome {
  readonly segments: number;
  readonly add: { readonly status: number; readonly body: string };
  readonly get: { readonly status: number; readonly urls: readonly string[] };
  readonly ready: { readonly status: number; readonly body: unknown };
  readonly getAfterMessages: { readonly status: number; readonly urls: readonly string[] };
  readonly code: number | null;
}

const whereMountsWork = canMount ? it : it.skip;

whereMountsWork('a full disk blocks writes, but not reads', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-full-'));
  execFileSync('chmod', ['711', directory]);
  const child: ChildProcess = spawn('unshare', ['-m', process.execPath, SCRIPT, directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stderr }: Finished = await finished(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const outcome = JSON.parse(readFileSync(join(directory, 'outcome.json'), 'utf8')) as Outcome;
  rmSync(directory, { recursive: true });

  expect(outcome.segments).toBeGreaterThanOrEqual(3);
  expect(outcome.add.status).toBe(503);
  expect(outcome.add.body).toContain('The disk of the service is full');
  expect(outcome.get.status).toBe(200);
  expect(outcome.get.urls).toContain('https://example.com/before');
  expect(outcome.ready).toMatchObject({
    status: 200,
    body: {
      error: {
        writes: { status: 'down', reason: 'database: cannot write: No space left on device' },
      },
    },
  });
  expect(outcome.getAfterMessages).toEqual(outcome.get);
  expect(outcome.code).toBe(0);
});
