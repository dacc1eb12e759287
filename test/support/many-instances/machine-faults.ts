import { setTimeout as pause } from 'node:timers/promises';

import { until } from '../processes.js';
import { type Disturbed, type Fault, refused } from './faults.js';
import { canMount } from './faulty-server.js';
import { canStepClocks, type SteppedClock } from './stepped-clock.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const STEPS = [5 * MINUTE, 3 * HOUR, 26 * HOUR];

/** The difference in seconds up to which a clock counts as set, because a fault may delay the answer. */
const TOLERATED_SECONDS = 60;

type SetClock = readonly [SteppedClock, (disturbed: Disturbed) => Promise<number>];

const ofService = (disturbed: Disturbed): SetClock => [disturbed.server.serviceClock, serviceTime];
const ofDatabase = (disturbed: Disturbed): SetClock => [disturbed.server.clock, databaseTime];

async function serviceTime({ fleet }: Disturbed): Promise<number> {
  const { headers } = await fetch(`http://127.0.0.1:${fleet.instances[0]!.port}/health`);
  return Date.parse(headers.get('date') ?? '');
}

async function databaseTime({ database }: Disturbed): Promise<number> {
  const [row] = await database.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  return row!.ms;
}

/** Sets clocks forward and back while clients call, by minutes, hours or a day. They are right again at the end. */
async function step(disturbed: Disturbed, clocks: readonly SetClock[]): Promise<void> {
  const { roll } = disturbed;
  const seconds = STEPS[roll(STEPS.length)]!;
  const first = roll(2) === 0 ? seconds : -seconds;
  for (const offset of [first, 0, -first, 0]) {
    clocks.forEach(([clock]) => {
      clock.set(offset);
    });
    await pause(500 + roll(500));
    for (const [, timeOf] of clocks) {
      await until(async () => {
        const ahead = ((await timeOf(disturbed)) - Date.now()) / 1000;
        return Math.abs(ahead - offset) < TOLERATED_SECONDS;
      }, `a clock that was set to ${offset} s`);
    }
  }
}

const clockFaults: Readonly<Record<string, Fault>> = {
  'the clock of the service is set': (all) => step(all, [ofService(all)]),
  'the clock of the database is set': (all) => step(all, [ofDatabase(all)]),
  'the clock of the whole machine is set': (all) => step(all, [ofDatabase(all), ofService(all)]),
};

/** Less than the rows of a few seconds need. */
const LEFT_BYTES = 256_000;
/** PostgreSQL ends all its processes if it cannot write its WAL. A client of the service then cannot see why. */
const WAL_FULL = /pg_wal.*No space left on device/;

const diskFaults: Readonly<Record<string, Fault>> = {
  'the file system of the database fills up': async ({ server, knock }) => {
    const before = server.log.length;
    await server.leave('database', LEFT_BYTES);
    try {
      await refused(knock, () => WAL_FULL.test(server.log.slice(before)));
      await pause(2000);
    } finally {
      await server.grow('database');
    }
  },
  'the file system of the pictures is full': async ({ server, pictureWrites }) => {
    const { failed } = await pictureWrites();
    let stored = 0;
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
      // Not after the space has grown: all shown pictures may be stored at once.
      ({ stored } = await pictureWrites());
    } finally {
      await server.grow('pictures');
    }
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
