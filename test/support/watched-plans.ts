import pg from 'pg';

import { offenceOf, type StatementPlan } from './statement-plan.js';

const PLAN = /^duration: [\d.]+ ms {2}plan:\n/;
/** Notice of the triggers in partitions.mjs. */
const REFUSAL = /^writes rows of several users to /;

const { connect } = pg.Client.prototype;

/** Findings in the current test file, from PostgreSQL's notices about the service's statements. */
const seen = { connections: 0, plans: 0, offences: new Set<string>() };

/** Only pooled connections of the service count. Queries of the tests may cover all users. */
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

/** Watches the statements on each connection that the service opens from now on. */
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

/** Returns true if connections were opened but no plans were seen. */
export const isBlind = (): boolean => seen.connections > 0 && seen.plans === 0;

/** Returns the distinct statements that no single server could run, and resets the list. */
export function takeOffences(): string[] {
  const offences = [...seen.offences];
  seen.offences.clear();
  return offences;
}
