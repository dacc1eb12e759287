// Loaded before the service (`node --import`). SIGUSR2 starts a CPU profile, and the next SIGUSR2 writes it to
// PROFILE_DIR. So the profile covers calls of one kind, without the start and the warm-up.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

const INTERVAL_US = 500;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });

let number = 0;
let isRunning = false;

process.on('SIGUSR2', async () => {
  isRunning = !isRunning;
  if (isRunning) {
    await session.post('Profiler.start');
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  number += 1;
  writeFileSync(join(process.env.PROFILE_DIR, `${number}.cpuprofile`), JSON.stringify(profile));
});
