import { IsOptional } from 'class-validator';

import { WholeNumber } from './environment.decorators.js';

const YEAR_SECONDS = 31_536_000;
/** Longer than the time between two updates of the last use, so that a session in use never ends. */
const SHORTEST_IDLE_SECONDS = 600;

/** The environment variables for sessions in browsers. */
export abstract class SessionVariables {
  @WholeNumber(60, YEAR_SECONDS)
  readonly SESSION_TTL: number = 1_209_600;

  @IsOptional()
  @WholeNumber(SHORTEST_IDLE_SECONDS, YEAR_SECONDS)
  readonly SESSION_IDLE_LIMIT?: number;

  @IsOptional()
  @WholeNumber(60, YEAR_SECONDS)
  readonly SESSION_ABSOLUTE_LIMIT?: number;
}

/** When a session ends although its cookie is still valid. Infinity means no limit. */
export interface SessionLimits {
  /** The time since the last request of the session. */
  readonly idleSeconds: number;
  /** The time since the login. */
  readonly absoluteSeconds: number;
}

/** The settings for sessions in browsers. */
export abstract class SessionSettings {
  /** The lifetime of a session cookie. */
  abstract readonly sessionTtlSeconds: number;
  abstract readonly sessionLimits: SessionLimits;
}

export const sessionSettings = (
  variables: SessionVariables,
): Pick<SessionSettings, keyof SessionSettings> => ({
  sessionTtlSeconds: variables.SESSION_TTL,
  sessionLimits: {
    idleSeconds: variables.SESSION_IDLE_LIMIT ?? Infinity,
    absoluteSeconds: variables.SESSION_ABSOLUTE_LIMIT ?? Infinity,
  },
});
