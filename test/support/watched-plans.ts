import pg from 'pg';

import { offenceOf, type StatementPlan } from './statement-plan.js';

const PLAN = /^duration: [\d.]+ ms {2}plan:\n/;
/** Of the triggers of partitions.mjs. */
const REFUSAL = /^writes rows of several users to /;

const { connect } = pg.Client.prototype;

/** Of a test file: what PostgreSQL tells of the statements that the service has run. */
const seen = { connections: 0, plans: 0, offences: new Set<string>() };

/** Of the pool alone: what a test looks at by itself may be of all users. */
const isOfService = (client: object): boolean =>
  JSON.stringify(client, ['connectionParameters', 'application_name']).includes('"satchel"');

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 300);

function note(message: string): void {
  if (REFUSAL.test(message)) {
    seen.offences.add(oneLine(message));
  } else if (PLAN.test(message)) {
    const plan: StatementPlan = JSON.parse(message.replace(PLAN, ''));
    const why = offenceOf(plan);
    seen.plans += 1;
    if (why !== undefined) {
      seen.offences.add(`${why}: ${oneLine(plan['Query Text'])}`);
    }
  }
}

/** Has each connection that is opened from here on tell of its statements, if it is of the service. */
export function watchPlans(): void {
  pg.Client.prototype.connect = function connectWatched(this: pg.Client, ...call: unknown[]) {
    seen.connections += 1;
    if (isOfService(this)) {
      this.on('notice', ({ message = '' }) => {
        note(message);
      });
    }
    return Reflect.apply(connect, this, call);
  };
}

export function endWatch(): void {
  pg.Client.prototype.connect = connect;
}

/** Whether there was something to see, and nothing was seen. */
export const isBlind = (): boolean => seen.connections > 0 && seen.plans === 0;

/** The statements that no single server could have run, each once; they are forgotten. */
export function takeOffences(): string[] {
  const offences = [...seen.offences];
  seen.offences.clear();
  return offences;
}
