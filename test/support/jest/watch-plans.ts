import pg from 'pg';

import { offenceOf, type StatementPlan } from '../statement-plan.js';

/** What PostgreSQL has told of the statements of the service in a test file, once each (jest.partitions.config.mjs). */
const offences = new Set<string>();

const PLAN = /^duration: [\d.]+ ms {2}plan:\n/;

const { connect } = pg.Client.prototype;

/** Of the pool alone: what a test looks at by itself may be of all users. */
const isOfService = (client: object): boolean =>
  JSON.stringify(client, ['connectionParameters', 'application_name']).includes('"satchel"');

function watch(client: pg.Client): void {
  client.on('notice', ({ message = '' }) => {
    if (PLAN.test(message)) {
      const plan: StatementPlan = JSON.parse(message.replace(PLAN, ''));
      const why = offenceOf(plan);
      const text = plan['Query Text'].trim().replaceAll(/\s+/g, ' ').slice(0, 300);
      if (why !== undefined) {
        offences.add(`${why}: ${text}`);
      }
    }
  });
}

beforeAll(() => {
  pg.Client.prototype.connect = function connectWatched(this: pg.Client, ...call: unknown[]) {
    if (isOfService(this)) {
      watch(this);
    }
    return Reflect.apply(connect, this, call);
  };
});

afterAll(() => {
  pg.Client.prototype.connect = connect;
  expect([...offences]).toEqual([]);
});
