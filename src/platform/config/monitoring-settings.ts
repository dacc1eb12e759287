import { IsIn, IsOptional, IsString } from 'class-validator';

import { BackupSettings, BackupVariables } from './backup-settings.js';
import { check, WholeNumber } from './environment.decorators.js';
import { Secret } from './secret-files.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const LOG_FORMATS = ['json', 'text'] as const;

const ON_OR_OFF = ['on', 'off'] as const;

/** Accepts a token for the header `Authorization: Bearer` (RFC 6750 section 2.1) that is too long to guess. */
const BearerToken = (): PropertyDecorator =>
  check(
    'bearerToken',
    'is a random text of 16 or more letters, digits and the characters - . _ ~ + /, such as that of openssl rand -hex 24',
    (text) => /^[\w.~+/-]{16,}=*$/.test(text),
  );

/** The environment variables for the log and the metrics. */
export abstract class MonitoringVariables extends BackupVariables {
  @IsIn(LOG_LEVELS, { message: `is one of ${LOG_LEVELS.join(', ')}` })
  readonly LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @IsIn(LOG_FORMATS, { message: `is ${LOG_FORMATS.join(' or ')}` })
  readonly LOG_FORMAT: (typeof LOG_FORMATS)[number] = 'json';

  @IsIn(ON_OR_OFF, { message: 'is on or off' })
  readonly LOG_REQUESTS: (typeof ON_OR_OFF)[number] = 'on';

  @IsOptional()
  @WholeNumber(1, 65_535)
  readonly METRICS_PORT?: number;

  @IsString()
  readonly METRICS_HOST: string = '127.0.0.1';

  @Secret()
  @IsOptional()
  @BearerToken()
  readonly METRICS_TOKEN?: string;
}

/** Where the service exposes its metrics. At least one of the two is set. */
export interface MetricsSettings {
  /** A port that serves only the metrics. */
  readonly listener: { readonly host: string; readonly port: number } | undefined;
  /** The token that opens the metrics on the port of the service. */
  readonly token: string | undefined;
}

/** The settings for the log and the metrics. */
export abstract class MonitoringSettings extends BackupSettings {
  abstract readonly logLevel: MonitoringVariables['LOG_LEVEL'];
  abstract readonly logFormat: MonitoringVariables['LOG_FORMAT'];
  /** True if the log contains a line for each request. */
  abstract readonly logsRequests: boolean;
  /** Undefined if the service has no metrics. */
  abstract readonly metrics: MetricsSettings | undefined;
}

type Monitoring = Omit<MonitoringSettings, keyof BackupSettings>;

export const monitoringSettings = (variables: MonitoringVariables): Monitoring => ({
  logLevel: variables.LOG_LEVEL,
  logFormat: variables.LOG_FORMAT,
  logsRequests: variables.LOG_REQUESTS === 'on',
  metrics: metricsSettings(variables),
});

function metricsSettings({
  METRICS_PORT: port,
  METRICS_HOST: host,
  METRICS_TOKEN: token,
}: MonitoringVariables): MetricsSettings | undefined {
  const listener = port === undefined ? undefined : { host, port };
  return listener === undefined && token === undefined
    ? undefined
    : Object.freeze({ listener, token });
}

/** Returns an error message if both listeners have the same port. */
export const monitoringErrors = ({
  PORT,
  METRICS_PORT,
}: MonitoringVariables & { readonly PORT: number }): string[] =>
  METRICS_PORT !== undefined && METRICS_PORT === PORT
    ? ['METRICS_PORT: must be another port than PORT']
    : [];
