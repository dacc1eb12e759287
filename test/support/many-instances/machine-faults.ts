import { setTimeout as pause } from 'node:timers/promises';

import { until } from '../processes.js';
import type { Disturbed, Fault } from './faults.js';
import { canMount } from './faulty-server.js';
import { canStepClocks, type SteppedClock } from './stepped-clock.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const STEPS = [5 * MINUTE, 3 * HOUR, 26 * HOUR];

/** Sets clocks forward and back while clients call, by minutes, hours or a day. They are right again at the end. */
async function step(clocks: readonly SteppedClock[], roll: Disturbed['roll']): Promise<void> {
  const seconds = STEPS[roll(STEPS.length)]!;
  const first = roll(2) === 0 ? seconds : -seconds;
  for (const offset of [first, 0, -first, 0]) {
    clocks.forEach((clock) => {
      clock.set(offset);
    });
    await pause(500 + roll(500));
  }
}

const clockFaults: Readonly<Record<string, Fault>> = {
  'the clock of the service is set': ({ server, roll }) => step([server.serviceClock], roll),
  'the clock of the database is set': ({ server, roll }) => step([server.clock], roll),
  'the clock of the whole machine is set': ({ server, roll }) =>
    step([server.clock, server.serviceClock], roll),
};

/** Less than the rows of a few seconds need. */
const LEFT_BYTES = 256_000;
const FULL = /The disk of the service is full/;

const diskFaults: Readonly<Record<string, Fault>> = {
  'the file system of the database fills up': async ({ server, knock }) => {
    await server.leave('database', LEFT_BYTES);
    try {
      await until(async () => {
        const { status, text } = await knock();
        return [503, 507].includes(status) && FULL.test(text);
      }, 'a save that is refused because the disk is full');
      await pause(2000);
    } finally {
      await server.grow('database');
    }
  },
  'the file system of the pictures is full': async ({ server, pictureWrites }) => {
    const { failed } = await pictureWrites();
    try {
      await until(async () => {
        // The pictures that are shown all the time are then stored again, or cannot be.
        await server.leave('pictures', 0);
        server.deletePictures();
        await server.leave('pictures', 0);
        await pause(1000);
        return (await pictureWrites()).failed > failed;
      }, 'a metric of a picture that cannot be stored');
      await pause(1000);
    } finally {
      await server.grow('pictures');
    }
    const { stored } = await pictureWrites();
    await until(async () => (await pictureWrites()).stored > stored, 'a picture that is stored');
  },
};

/** The faults that this machine can cause. */
export const MACHINE_FAULTS: Readonly<Record<string, Fault>> = {
  ...(canStepClocks ? clockFaults : {}),
  ...(canMount ? diskFaults : {}),
};

/** The faults that this machine cannot cause, with the reason. */
export const LEFT_OUT: readonly string[] = [
  ...(canStepClocks
    ? []
    : [`${Object.keys(clockFaults).join(', ')} (apt-get install libfaketime)`]),
  ...(canMount ? [] : [`${Object.keys(diskFaults).join(', ')} (root may mount)`]),
];
