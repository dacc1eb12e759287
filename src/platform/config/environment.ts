import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength, validateSync } from 'class-validator';

import { parsedUrl } from '../../lib/util/parsed-url.js';
import { databaseErrors } from './database-settings.js';
import {
  HeaderName,
  IssuerAddress,
  MailServer,
  Networks,
  Origins,
  Ports,
  Proxies,
  PublicAddress,
  Secrets,
  SecurityContact,
  Sender,
  UrlWith,
  WholeNumber,
  WorkerCount,
} from './environment.decorators.js';
import { FetchProxy, fetchProxyErrors } from './fetch-proxy.js';
import { loginErrors, SECOND_FACTOR_CHOICES, type SecondFactorChoice } from './login-settings.js';
import { mailErrors } from './mail-settings.js';
import { monitoringErrors, MonitoringVariables } from './monitoring-settings.js';
import { Secret } from './secret-files.js';

const ON_OR_OFF = ['on', 'off'] as const;

const VERIFICATIONS = ['required', 'off'] as const;

/**
 * The values of DATABASE_POOLER. With all values except `none`, each transaction may run in another
 * database session. With `transaction-prepared`, prepared statements work in every session.
 */
const POOLERS = ['none', 'transaction', 'transaction-prepared'] as const;

const REGISTRATIONS = ['open', 'invite', 'closed'] as const;

/** The environment variables of the service with their defaults; `.env.example` explains each variable. */
export class Environment extends MonitoringVariables {
  @IsString()
  readonly HOST: string = '127.0.0.1';

  @WholeNumber(0, 65_535)
  readonly PORT: number = 3000;

  @IsOptional()
  @PublicAddress()
  readonly PUBLIC_URL?: string;

  @IsOptional()
  @Proxies()
  readonly TRUST_PROXY?: string;

  @IsOptional()
  @SecurityContact()
  readonly SECURITY_CONTACT?: string;

  @IsOptional()
  @Origins()
  readonly CORS_ORIGINS?: string;

  @IsOptional()
  @IsIn(REGISTRATIONS, { message: `is one of ${REGISTRATIONS.join(', ')}` })
  readonly REGISTRATION?: (typeof REGISTRATIONS)[number];

  @Secret()
  @IsOptional()
  @MailServer()
  readonly SMTP_URL?: string;

  @IsOptional()
  @Sender()
  readonly MAIL_FROM?: string;

  @IsOptional()
  @IsIn(ON_OR_OFF, { message: 'is on or off' })
  readonly LOGIN_NOTICES?: (typeof ON_OR_OFF)[number];

  @IsOptional()
  @IsIn(ON_OR_OFF, { message: 'is on or off' })
  readonly EREADER_MAIL?: (typeof ON_OR_OFF)[number];

  @IsIn(VERIFICATIONS, { message: `is ${VERIFICATIONS.join(' or ')}` })
  readonly EMAIL_VERIFICATION: (typeof VERIFICATIONS)[number] = 'off';

  @IsOptional()
  @IssuerAddress()
  readonly OIDC_ISSUER?: string;

  @IsOptional()
  @IsString()
  readonly OIDC_CLIENT_ID?: string;

  @Secret()
  @IsOptional()
  @IsString()
  readonly OIDC_CLIENT_SECRET?: string;

  @IsOptional()
  @IsIn(ON_OR_OFF, { message: 'is on or off' })
  readonly OIDC_TRUST_EMAIL?: (typeof ON_OR_OFF)[number];

  @IsOptional()
  @MaxLength(60, { message: 'has at most 60 characters' })
  readonly OIDC_NAME?: string;

  @IsOptional()
  @HeaderName()
  readonly FORWARD_AUTH_HEADER?: string;

  @IsIn(ON_OR_OFF, { message: 'is on or off' })
  readonly PASSWORD_LOGIN: (typeof ON_OR_OFF)[number] = 'on';

  @IsIn(SECOND_FACTOR_CHOICES, { message: `is one of ${SECOND_FACTOR_CHOICES.join(', ')}` })
  readonly SECOND_FACTOR: SecondFactorChoice = 'optional';

  @Secret()
  @IsOptional()
  @UrlWith('postgres:', 'postgresql:')
  readonly DATABASE_URL?: string;

  @IsIn(POOLERS, { message: `is one of ${POOLERS.join(', ')}` })
  readonly DATABASE_POOLER: (typeof POOLERS)[number] = 'none';

  @Secret()
  @IsOptional()
  @UrlWith('postgres:', 'postgresql:')
  readonly DATABASE_DIRECT_URL?: string;

  @WholeNumber(2, 200)
  readonly DATABASE_POOL_SIZE: number = 10;

  @IsString()
  readonly DATA_DIR: string = './data';

  @Secret()
  @IsOptional()
  @Secrets()
  readonly JWT_SECRET?: string;

  @Secret()
  @IsOptional()
  @Secrets()
  readonly SESSION_SECRET?: string;

  @WholeNumber(30, 86_400)
  readonly ACCESS_TOKEN_TTL: number = 900;

  @WholeNumber(0, 3600)
  readonly REFRESH_REUSE_LEEWAY: number = 10;

  @WholeNumber(60, 86_400)
  readonly OAUTH_CODE_TTL: number = 600;

  @WholeNumber(10, 15)
  readonly BCRYPT_COST: number = 11;

  @WholeNumber(0, 1_000_000)
  readonly LOGIN_LIMIT_PER_ACCOUNT: number = 10;

  @WholeNumber(0, 1_000_000)
  readonly LOGIN_LIMIT_PER_ADDRESS: number = 100;

  @WholeNumber(0, 1_000_000)
  readonly REGISTER_LIMIT_PER_ADDRESS: number = 20;

  @WholeNumber(0, 1_000_000)
  readonly REFRESH_LIMIT_PER_ADDRESS: number = 1200;

  @WholeNumber(0, 1_000_000)
  readonly MAIL_LIMIT_PER_ACCOUNT: number = 3;

  @WholeNumber(0, 1_000_000)
  readonly MAIL_LIMIT_PER_ADDRESS: number = 20;

  @WholeNumber(0, 1_000_000)
  readonly EREADER_LIMIT_PER_USER: number = 50;

  @WholeNumber(0, 1_000_000)
  readonly EREADER_LIMIT_PER_ADDRESS: number = 200;

  @WholeNumber(0, 1_000_000)
  readonly EREADER_LIMIT_PER_DAY: number = 2000;

  @WholeNumber(0, 1_000_000)
  readonly SHARED_LIMIT_PER_ADDRESS: number = 300;

  @WholeNumber(0, 1_000_000)
  readonly OAUTH_REQUEST_LIMIT_PER_ADDRESS: number = 100;

  @WholeNumber(0, 1_000_000)
  readonly OAUTH_REQUEST_LIMIT_PER_KEY: number = 1000;

  @WholeNumber(0, 100_000_000)
  readonly CALL_LIMIT_PER_USER: number = 3600;

  @WholeNumber(0, 100_000_000)
  readonly CALL_LIMIT_PER_KEY: number = 100_000;

  @WholeNumber(0, 100_000_000)
  readonly SYNC_CALL_LIMIT_PER_USER: number = 50_000;

  @WholeNumber(0, 15_000)
  readonly RESOLVE_WAIT_MS: number = 2500;

  @WholeNumber(0, 64)
  readonly RESOLVER_CONCURRENCY: number = 4;

  @WholeNumber(0, 1_000_000)
  readonly RESOLVER_PAGES_PER_HOUR: number = 1000;

  @IsOptional()
  @Networks()
  readonly RESOLVER_ALLOW_ADDRESSES?: string;

  @IsOptional()
  @Ports()
  readonly RESOLVER_ALLOW_PORTS?: string;

  @Secret()
  @IsOptional()
  @FetchProxy()
  readonly FETCH_PROXY?: string;

  @WholeNumber(1, 100_000)
  readonly IMPORT_MAX_MB: number = 500;

  /** The maximum number of megabytes that one user may store. 0 means no limit. */
  @WholeNumber(0, 100_000_000)
  readonly STORAGE_LIMIT_PER_USER: number = 5000;

  @WholeNumber(86_400, 315_360_000)
  readonly TOMBSTONE_TTL: number = 31_536_000;

  @WorkerCount()
  readonly SATCHEL_WORKERS: string = '1';

  @WholeNumber(1, 300)
  readonly SHUTDOWN_TIMEOUT: number = 10;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Validates the environment variables. An empty variable counts as unset.
 *
 * @throws ConfigError with one line for each unreadable secret file and for each invalid variable
 */
export function checkedEnvironment(
  variables: Variables,
  fileProblems: readonly string[] = [],
): Environment {
  const given = Object.entries(variables).filter(([, text]) => text !== undefined && text !== '');
  const environment = plainToInstance(Environment, Object.fromEntries(given), {
    exposeDefaultValues: true,
  });
  const problems = validateSync(environment).map(
    ({ property, constraints }) =>
      `${property}: ${Object.values(constraints ?? {})[0] ?? 'is wrong'}`,
  );
  if (fileProblems.length > 0) {
    // Skips the checks below, because they would report the settings in unreadable files as missing.
    throw new ConfigError([...fileProblems, ...problems]);
  }
  if (isUnderTls(environment) && environment.TRUST_PROXY === undefined) {
    problems.push('TRUST_PROXY: is needed when PUBLIC_URL is https, since TLS ends at a proxy');
  }
  problems.push(...mailErrors(environment), ...monitoringErrors(environment));
  problems.push(...loginErrors(environment), ...databaseErrors(environment));
  problems.push(...fetchProxyErrors(environment.FETCH_PROXY, variables));
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return environment;
}

const isUnderTls = ({ PUBLIC_URL = '' }: Environment): boolean =>
  parsedUrl(PUBLIC_URL)?.protocol === 'https:';

/** The configuration is invalid, so the service cannot start. The message contains one line for each problem. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      ['The configuration has errors:', ...problems.map((problem) => `  ${problem}`)].join('\n'),
    );
  }
}
