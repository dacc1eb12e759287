import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';

import { availableCores } from '../../lib/util/available-cores.js';
import { databaseSettings, type TransactionPooler } from './database-settings.js';
import { checkedEnvironment, type Environment, type Variables } from './environment.js';
import { type FetchProxies, fetchProxies } from './fetch-proxy.js';
import { type IssuerSettings, loginSettings } from './login-settings.js';
import { type MailSettings, mailSettings } from './mail-settings.js';
import { type RegistrationMode, registrationMode } from './registration-mode.js';
import { type FileSecrets, fileVariable, readSecretFiles } from './secret-files.js';
import { keptSecrets } from './secrets.js';

const MEGABYTE = 1_000_000;

/** The validated configuration. It is read once and then frozen. */
export abstract class Config {
  abstract readonly host: string;
  abstract readonly port: number;
  /** The public address of the service, if the operator has set it. */
  abstract readonly publicUrl: URL | undefined;
  /** Express' `trust proxy`: false, a number of hops, or addresses. */
  abstract readonly trustProxy: false | number | readonly string[];
  /** The contact for reports of vulnerabilities: a mailto: or https: address. */
  abstract readonly securityContact: string | undefined;
  /** The origins whose scripts may call the API. Undefined allows every origin, an empty list allows none. */
  abstract readonly corsOrigins: readonly string[] | undefined;
  abstract readonly registration: RegistrationMode;
  /** Undefined if the service sends no mail. */
  abstract readonly mail: MailSettings | undefined;
  /** True if a password login requires that the user has opened a link in a mail to the email address. */
  abstract readonly isEmailVerificationRequired: boolean;
  /** False if passwords are not accepted anywhere. */
  abstract readonly passwordLogin: boolean;
  abstract readonly issuer: IssuerSettings | undefined;
  /** The lower-case name of the header in which a proxy of `trustProxy` sends the user. */
  abstract readonly forwardAuthHeader: string | undefined;
  /** Undefined means the embedded database. */
  abstract readonly databaseUrl: string | undefined;
  /** Undefined if each connection of `databaseUrl` has its own session. */
  abstract readonly databasePooler: TransactionPooler | undefined;
  /** The address of PostgreSQL itself, without the pooler. */
  abstract readonly databaseDirectUrl: string | undefined;
  abstract readonly databasePoolSize: number;
  /** An absolute path. */
  abstract readonly dataDirectory: string;
  /** The first secret signs. All secrets verify. */
  abstract readonly jwtSecrets: RotatedSecrets;
  /** The first secret encrypts. All secrets decrypt. */
  abstract readonly sessionSecrets: RotatedSecrets;
  /** True if at least one secret comes from the data folder instead of the environment. */
  abstract readonly areSecretsKept: boolean;
  /** One sentence for each setting that Satchel no longer uses and that is still set. */
  abstract readonly removedSettings: readonly string[];
  /** The secret settings that were read from files. Workers get them from the first process. */
  abstract readonly fileSecrets: FileSecrets;
  abstract readonly accessTokenTtlSeconds: number;
  abstract readonly sessionTtlSeconds: number;
  abstract readonly refreshReuseLeewaySeconds: number;
  /** The lifetime of a request for access, from the first call of the application to its last. */
  abstract readonly requestCodeTtlSeconds: number;
  abstract readonly bcryptCost: number;
  abstract readonly limits: ThrottleLimits;
  abstract readonly callLimits: HourlyCallLimits;
  /** Calls of the wallabag API and the OPDS catalogue per user and hour. 0 means no limit. */
  abstract readonly syncCallsPerHour: number;
  /** How long an add call waits until the page is fetched. */
  abstract readonly resolveWaitMs: number;
  /** How many pages are fetched at once. 0 disables fetching. */
  abstract readonly resolverConcurrency: number;
  /** How many saved pages are fetched per user and hour. The same limit applies to imported pages. 0 means no limit. */
  abstract readonly resolverPagesPerHour: number;
  /** Networks and ports that pages may be fetched from, besides the public internet and the ports 80 and 443. */
  abstract readonly resolverAllows: ResolverAllowances;
  /** Undefined if outgoing requests use no proxy. */
  abstract readonly fetchProxies: FetchProxies | undefined;
  /** The maximum memory of the response cache for get. 0 disables the cache. */
  abstract readonly answerCacheMegabytes: number;
  /** The maximum space of article images in the data directory. 0 stores no images. */
  abstract readonly imageCacheMegabytes: number;
  /** The maximum size of an imported file. */
  abstract readonly importMegabytes: number;
  /** The maximum number of stored bytes per user. 0 means no limit. */
  abstract readonly storageLimitBytes: number;
  /** How long a deletion is remembered for clients that synchronise. */
  abstract readonly tombstoneTtlSeconds: number;
  /** The number of web workers. If there are several, a separate process does the background work. */
  abstract readonly workers: number;
  abstract readonly shutdownTimeoutSeconds: number;
  abstract readonly logLevel: Environment['LOG_LEVEL'];
}

/** The current secret, followed by older secrets that are still accepted. */
type RotatedSecrets = readonly [string, ...string[]];

/** Additional addresses and ports that pages may be fetched from. */
interface ResolverAllowances {
  /** Addresses, and networks as CIDR. */
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** Attempts that are allowed per window. 0 means no limit. */
export interface ThrottleLimits {
  readonly loginPerAccount: number;
  readonly loginPerAddress: number;
  readonly registerPerAddress: number;
  readonly refreshPerAddress: number;
  readonly mailPerAccount: number;
  readonly mailPerAddress: number;
  /** Per day, like the next two limits. */
  readonly eReaderMailPerUser: number;
  readonly eReaderMailPerAddress: number;
  /** For all users together. */
  readonly eReaderMailPerDay: number;
  readonly oauthRequestPerAddress: number;
  readonly oauthRequestPerKey: number;
}

/** Calls of the v3 endpoints that are allowed per hour. 0 means no limit. */
interface HourlyCallLimits {
  readonly perUser: number;
  readonly perKey: number;
}

/** Reads `.env` (variables that are already set win) and the process's environment. */
export function loadConfig(): Config {
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
  }
  return configFrom(process.env);
}

/** Returns the configuration of the process that started this one. Reads neither `.env` nor secret files again. */
export const inheritedConfig = (fileSecrets: FileSecrets): Config =>
  configOf({ ...process.env, ...fileSecrets }, fileSecrets);

/** @throws ConfigError that names every invalid variable at once */
export function configFrom(variables: Variables): Config {
  const { secrets, problems } = readSecretFiles(variables);
  return configOf({ ...variables, ...secrets }, secrets, problems);
}

function configOf(
  variables: Variables,
  fileSecrets: FileSecrets,
  fileProblems: readonly string[] = [],
): Config {
  const environment = checkedEnvironment(variables, fileProblems);
  return Object.freeze({
    ...settings(environment),
    fetchProxies: fetchProxies(environment.FETCH_PROXY, variables),
    fileSecrets: Object.freeze(fileSecrets),
    removedSettings: removedSettings(variables),
  });
}

function settings(
  environment: Environment,
): Omit<Config, 'fetchProxies' | 'fileSecrets' | 'removedSettings'> {
  const dataDirectory = resolve(environment.DATA_DIR);
  return {
    ...addresses(environment),
    securityContact: environment.SECURITY_CONTACT,
    registration: registrationMode(environment),
    mail: mailSettings(environment),
    isEmailVerificationRequired: environment.EMAIL_VERIFICATION === 'required',
    ...loginSettings(environment),
    ...secrets(environment, dataDirectory),
    ...databaseSettings(environment),
    dataDirectory,
    accessTokenTtlSeconds: environment.ACCESS_TOKEN_TTL,
    sessionTtlSeconds: environment.SESSION_TTL,
    refreshReuseLeewaySeconds: environment.REFRESH_REUSE_LEEWAY,
    requestCodeTtlSeconds: environment.OAUTH_CODE_TTL,
    bcryptCost: environment.BCRYPT_COST,
    ...limits(environment),
    ...resolving(environment),
    answerCacheMegabytes: environment.ANSWER_CACHE_MB,
    imageCacheMegabytes: environment.IMAGE_CACHE_MB,
    importMegabytes: environment.IMPORT_MAX_MB,
    tombstoneTtlSeconds: environment.TOMBSTONE_TTL,
    workers: workers(environment),
    shutdownTimeoutSeconds: environment.SHUTDOWN_TIMEOUT,
    logLevel: environment.LOG_LEVEL,
  };
}

/** The settings of earlier versions, and the reason to remove them. */
const REMOVED = {
  DATABASE_REPLICA_URLS: 'Satchel reads everything from DATABASE_URL',
} as const;

const removedSettings = (variables: Variables): string[] =>
  Object.entries(REMOVED)
    .filter(([name]) => Boolean(variables[name] ?? variables[fileVariable(name)]))
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
  dataDirectory: string,
): Pick<Config, 'jwtSecrets' | 'sessionSecrets' | 'areSecretsKept'> {
  if (JWT_SECRET !== undefined && SESSION_SECRET !== undefined) {
    return {
      jwtSecrets: rotated(JWT_SECRET),
      sessionSecrets: rotated(SESSION_SECRET),
      areSecretsKept: false,
    };
  }
  const kept = keptSecrets(dataDirectory);
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
