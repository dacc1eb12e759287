import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';

import { availableCores } from '../../lib/util/available-cores.js';
import { backupSettings } from './backup-settings.js';
import { cacheSettings } from './cache-settings.js';
import { databaseSettings, type TransactionPooler } from './database-settings.js';
import { checkedEnvironment, type Environment, type Variables } from './environment.js';
import { type FetchProxies, fetchProxies } from './fetch-proxy.js';
import { type IssuerSettings, loginSettings, type SecondFactorGroup } from './login-settings.js';
import { type MailSettings, mailSettings } from './mail-settings.js';
import { MonitoringSettings, monitoringSettings } from './monitoring-settings.js';
import { type RegistrationMode, registrationMode } from './registration-mode.js';
import { type FileSecrets, fileVariable, readSecretFiles } from './secret-files.js';
import { keptSecrets } from './secrets.js';

const MEGABYTE = 1_000_000;

/** The validated settings of the service. They are read once and never change. */
export abstract class Config extends MonitoringSettings {
  abstract readonly host: string;
  abstract readonly port: number;
  /** The public address of the service. Undefined if the operator has not set it. */
  abstract readonly publicUrl: URL | undefined;
  /** The value of Express' setting `trust proxy`: false, a number of proxies, or a list of addresses. */
  abstract readonly trustProxy: false | number | readonly string[];
  /** A mailto: or https: address for reports of vulnerabilities. */
  abstract readonly securityContact: string | undefined;
  /** The origins whose scripts may call the API. Undefined allows all origins, and an empty list allows none. */
  abstract readonly corsOrigins: readonly string[] | undefined;
  abstract readonly registration: RegistrationMode;
  /** The settings for mail. Undefined if the service sends no mail. */
  abstract readonly mail: MailSettings | undefined;
  /** True if a login by password requires a verified email address, which the user confirms through a mailed link. */
  abstract readonly isEmailVerificationRequired: boolean;
  /** False if users cannot log in by password. */
  abstract readonly passwordLogin: boolean;
  /** The users who can open pages only with a second factor. */
  abstract readonly secondFactorRequiredFor: SecondFactorGroup;
  abstract readonly issuer: IssuerSettings | undefined;
  /** The name of the header with which a trusted proxy sends the logged-in user, in lower case. */
  abstract readonly forwardAuthHeader: string | undefined;
  /** The address of the database. Undefined if the embedded database is used. */
  abstract readonly databaseUrl: string | undefined;
  /** The mode of the connection pooler at `databaseUrl`. Undefined if the service uses no pooler. */
  abstract readonly databasePooler: TransactionPooler | undefined;
  /** The address of the PostgreSQL server itself, for connections that bypass the pooler. */
  abstract readonly databaseDirectUrl: string | undefined;
  abstract readonly databasePoolSize: number;
  /** The absolute path of the data directory. */
  abstract readonly dataDirectory: string;
  /** The secrets for access tokens. The first secret signs new tokens, and all secrets verify tokens. */
  abstract readonly jwtSecrets: RotatedSecrets;
  /** The secrets for session cookies. The first secret encrypts new cookies, and all secrets decrypt cookies. */
  abstract readonly sessionSecrets: RotatedSecrets;
  /** True if at least one secret was generated and comes from the data directory, not from the environment. */
  abstract readonly areSecretsKept: boolean;
  /** One sentence for each variable that is set although Satchel no longer uses it. */
  abstract readonly removedSettings: readonly string[];
  /** The secret settings that the primary process read from files and passes to the worker processes. */
  abstract readonly fileSecrets: FileSecrets;
  abstract readonly accessTokenTtlSeconds: number;
  abstract readonly refreshReuseLeewaySeconds: number;
  /** The lifetime of a request code, which an application exchanges for its access token. */
  abstract readonly requestCodeTtlSeconds: number;
  abstract readonly bcryptCost: number;
  abstract readonly limits: ThrottleLimits;
  abstract readonly callLimits: HourlyCallLimits;
  /** The maximum number of calls of the wallabag API and the OPDS catalogue, per user and hour. 0 means no limit. */
  abstract readonly syncCallsPerHour: number;
  /** The maximum time for which a response waits until a page is fetched, for example after a call of `add`. */
  abstract readonly resolveWaitMs: number;
  /** The maximum number of pages that are fetched in parallel. 0 disables fetching. */
  abstract readonly resolverConcurrency: number;
  /**
   * The maximum number of saved pages that are fetched, per user and hour. Imported pages have a separate limit of the
   * same size. 0 means no limit.
   */
  abstract readonly resolverPagesPerHour: number;
  /**
   * Networks and ports from which pages may be fetched, in addition to the public internet and the ports 80 and 443.
   */
  abstract readonly resolverAllows: ResolverAllowances;
  /** The proxies for outgoing requests. Undefined if the service uses no proxy. */
  abstract readonly fetchProxies: FetchProxies | undefined;
  /** The maximum size of an imported file in megabytes. */
  abstract readonly importMegabytes: number;
  /** The maximum number of bytes that one user may store. 0 means no limit. */
  abstract readonly storageLimitBytes: number;
  /** The time for which the ids of deleted items are stored, so that clients can synchronize deletions. */
  abstract readonly tombstoneTtlSeconds: number;
  /** The number of processes that answer requests. If there are several, one more process does the background work. */
  abstract readonly workers: number;
  abstract readonly shutdownTimeoutSeconds: number;
}

/** The current secret, followed by earlier secrets that are still accepted. */
type RotatedSecrets = readonly [string, ...string[]];

/** Addresses and ports from which pages may be fetched, in addition to public addresses and the ports 80 and 443. */
interface ResolverAllowances {
  /** The allowed IP addresses, and networks in CIDR notation. */
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** Limits per 15 minutes for attempts such as logins, and limits per day for mails to e-readers. 0 means no limit. */
export interface ThrottleLimits {
  readonly loginPerAccount: number;
  readonly loginPerAddress: number;
  readonly registerPerAddress: number;
  readonly refreshPerAddress: number;
  readonly mailPerAccount: number;
  readonly mailPerAddress: number;
  /** The maximum numbers of mails to e-readers per day: per user, and per network address. */
  readonly eReaderMailPerUser: number;
  readonly eReaderMailPerAddress: number;
  /** The maximum number of mails to e-readers per day, for all users together. */
  readonly eReaderMailPerDay: number;
  /** The maximum number of visits of public links per network address. */
  readonly sharedPerAddress: number;
  readonly oauthRequestPerAddress: number;
  readonly oauthRequestPerKey: number;
}

/** The maximum numbers of v3 API calls per hour. 0 means no limit. */
interface HourlyCallLimits {
  readonly perUser: number;
  readonly perKey: number;
}

/** Reads the configuration from the environment and from the file `.env`. An environment variable overrides `.env`. */
export function loadConfig(secretsIn = keptSecrets): Config {
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
  }
  return configFrom(process.env, secretsIn);
}

/**
 * Returns the configuration for a worker process. Uses the secrets of the primary process, instead of reading `.env`
 * and the secret files again.
 */
export const inheritedConfig = (fileSecrets: FileSecrets): Config =>
  configOf({ ...process.env, ...fileSecrets }, fileSecrets, keptSecrets);

/** @throws ConfigError if a variable is invalid; the message contains the names of all invalid variables */
export function configFrom(variables: Variables, secretsIn = keptSecrets): Config {
  const { secrets, problems } = readSecretFiles(variables);
  return configOf({ ...variables, ...secrets }, secrets, secretsIn, problems);
}

function configOf(
  variables: Variables,
  fileSecrets: FileSecrets,
  secretsIn: typeof keptSecrets,
  fileProblems: readonly string[] = [],
): Config {
  const environment = checkedEnvironment(variables, fileProblems);
  return Object.freeze({
    ...settings(environment, secretsIn),
    fetchProxies: fetchProxies(environment.FETCH_PROXY, variables),
    fileSecrets: Object.freeze(fileSecrets),
    removedSettings: removedSettings(variables),
  });
}

function settings(
  environment: Environment,
  secretsIn: typeof keptSecrets,
): Omit<Config, 'fetchProxies' | 'fileSecrets' | 'removedSettings'> {
  const dataDirectory = resolve(environment.DATA_DIR);
  return {
    ...addresses(environment),
    securityContact: environment.SECURITY_CONTACT,
    registration: registrationMode(environment, addresses(environment)),
    mail: mailSettings(environment),
    isEmailVerificationRequired: environment.EMAIL_VERIFICATION === 'required',
    ...loginSettings(environment),
    ...secrets(environment, () => secretsIn(dataDirectory)),
    ...databaseSettings(environment),
    dataDirectory,
    accessTokenTtlSeconds: environment.ACCESS_TOKEN_TTL,
    refreshReuseLeewaySeconds: environment.REFRESH_REUSE_LEEWAY,
    requestCodeTtlSeconds: environment.OAUTH_CODE_TTL,
    bcryptCost: environment.BCRYPT_COST,
    ...limits(environment),
    ...resolving(environment),
    ...cacheSettings(environment),
    ...backupSettings(environment, dataDirectory),
    importMegabytes: environment.IMPORT_MAX_MB,
    tombstoneTtlSeconds: environment.TOMBSTONE_TTL,
    workers: workers(environment),
    shutdownTimeoutSeconds: environment.SHUTDOWN_TIMEOUT,
    ...monitoringSettings(environment),
  };
}

/** Settings of earlier versions that have no effect any more, each with the reason. */
const REMOVED = {
  DATABASE_REPLICA_URLS: 'Satchel reads everything from DATABASE_URL',
} as const;

const removedSettings = (variables: Variables): string[] =>
  Object.entries(REMOVED)
    .filter(([name]) => [name, fileVariable(name)].some((one) => Boolean(variables[one])))
    .map(([name, reason]) => `${name} is no longer used: ${reason}. Remove the setting.`);

const workers = ({ SATCHEL_WORKERS }: Environment): number =>
  SATCHEL_WORKERS === 'auto' ? availableCores() : Number(SATCHEL_WORKERS);

const resolving = (
  environment: Environment,
): Pick<
  Config,
  'resolverConcurrency' | 'resolverPagesPerHour' | 'resolveWaitMs' | 'resolverAllows'
> => ({
  resolverConcurrency: environment.RESOLVER_CONCURRENCY,
  resolverPagesPerHour: environment.RESOLVER_PAGES_PER_HOUR,
  resolveWaitMs: environment.RESOLVER_CONCURRENCY === 0 ? 0 : environment.RESOLVE_WAIT_MS,
  resolverAllows: Object.freeze({
    addresses: list(environment.RESOLVER_ALLOW_ADDRESSES),
    ports: list(environment.RESOLVER_ALLOW_PORTS).map(Number),
  }),
});

const limits = (
  environment: Environment,
): Pick<Config, 'limits' | 'callLimits' | 'syncCallsPerHour' | 'storageLimitBytes'> => ({
  limits: throttleLimits(environment),
  callLimits: callLimits(environment),
  syncCallsPerHour: environment.SYNC_CALL_LIMIT_PER_USER,
  storageLimitBytes: environment.STORAGE_LIMIT_PER_USER * MEGABYTE,
});

const throttleLimits = (environment: Environment): ThrottleLimits =>
  Object.freeze({
    loginPerAccount: environment.LOGIN_LIMIT_PER_ACCOUNT,
    loginPerAddress: environment.LOGIN_LIMIT_PER_ADDRESS,
    registerPerAddress: environment.REGISTER_LIMIT_PER_ADDRESS,
    refreshPerAddress: environment.REFRESH_LIMIT_PER_ADDRESS,
    mailPerAccount: environment.MAIL_LIMIT_PER_ACCOUNT,
    mailPerAddress: environment.MAIL_LIMIT_PER_ADDRESS,
    eReaderMailPerUser: environment.EREADER_LIMIT_PER_USER,
    eReaderMailPerAddress: environment.EREADER_LIMIT_PER_ADDRESS,
    eReaderMailPerDay: environment.EREADER_LIMIT_PER_DAY,
    sharedPerAddress: environment.SHARED_LIMIT_PER_ADDRESS,
    oauthRequestPerAddress: environment.OAUTH_REQUEST_LIMIT_PER_ADDRESS,
    oauthRequestPerKey: environment.OAUTH_REQUEST_LIMIT_PER_KEY,
  });

const callLimits = (environment: Environment): HourlyCallLimits =>
  Object.freeze({
    perUser: environment.CALL_LIMIT_PER_USER,
    perKey: environment.CALL_LIMIT_PER_KEY,
  });

function addresses(
  environment: Environment,
): Pick<Config, 'host' | 'port' | 'publicUrl' | 'trustProxy' | 'corsOrigins'> {
  const { HOST, PORT, PUBLIC_URL, TRUST_PROXY = '', CORS_ORIGINS } = environment;
  const proxies = list(TRUST_PROXY);
  return {
    host: HOST,
    port: PORT,
    publicUrl: PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL),
    trustProxy: /^\d$/.test(TRUST_PROXY) ? Number(TRUST_PROXY) : proxies.length > 0 && proxies,
    corsOrigins:
      CORS_ORIGINS === undefined ? undefined : list(CORS_ORIGINS === 'none' ? '' : CORS_ORIGINS),
  };
}

const list = (text = ''): string[] =>
  text === '' ? [] : text.split(',').map((part) => part.trim());

function secrets(
  { JWT_SECRET, SESSION_SECRET }: Environment,
  generated: () => ReturnType<typeof keptSecrets>,
): Pick<Config, 'jwtSecrets' | 'sessionSecrets' | 'areSecretsKept'> {
  if (JWT_SECRET !== undefined && SESSION_SECRET !== undefined) {
    return {
      jwtSecrets: rotated(JWT_SECRET),
      sessionSecrets: rotated(SESSION_SECRET),
      areSecretsKept: false,
    };
  }
  const kept = generated();
  return {
    jwtSecrets: rotated(JWT_SECRET ?? kept.jwt),
    sessionSecrets: rotated(SESSION_SECRET ?? kept.session),
    areSecretsKept: true,
  };
}

function rotated(text: string): RotatedSecrets {
  const [first = '', ...others] = text.split(',');
  return Object.freeze<RotatedSecrets>([first, ...others]);
}
