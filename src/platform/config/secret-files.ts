import { closeSync, openSync, readSync } from 'node:fs';

import type { Variables } from './environment.js';

const SUFFIX = '_FILE';
/**
 * The maximum size of a secret file in bytes, far more than a secret needs. Without a maximum, reading a device such as
 * /dev/zero would never end.
 */
const MAX_BYTES = 65_536;

const SECRET_SETTINGS = new Set<string>();

/**
 * Marks a setting as secret. A secret setting can also be read from a file, whose path is in the variable `<NAME>_FILE`
 * (docs/host/operating.md).
 */
export function Secret(): PropertyDecorator {
  return (_target, name) => {
    SECRET_SETTINGS.add(String(name));
  };
}

/** Returns the names of all settings with the decorator `@Secret()`. */
export const secretSettings = (): readonly string[] => [...SECRET_SETTINGS];

/**
 * Returns the name of the variable with the path of a secret file, such as `SMTP_URL_FILE` for
 * `SMTP_URL`.
 */
export const fileVariable = (name: string): string => `${name}${SUFFIX}`;

/** The values of secret settings that were read from files. The keys are the names of the settings. */
export type FileSecrets = Readonly<Record<string, string>>;

/** Reads the files of all secret settings. Each error message contains the names of the setting and its file. */
export function readSecretFiles(variables: Variables): {
  readonly secrets: FileSecrets;
  readonly problems: readonly string[];
} {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const variable = fileVariable(name);
    const path = variables[variable] ?? '';
    if (path === '') {
      continue;
    }
    if ((variables[name] ?? '') !== '') {
      problems.push(`${name}: is set, and ${variable} is set too; remove one of them`);
      continue;
    }
    const secret = readSecret(path);
    if ('problem' in secret) {
      problems.push(`${variable}: the file ${path} ${secret.problem}`);
    } else {
      secrets[name] = secret.text;
    }
  }
  return { secrets, problems };
}

function readSecret(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const bytes = readFileStart(path);
    const text = decode(bytes)?.replace(/\r?\n$/, '');
    if (text === undefined || bytes.length > MAX_BYTES) {
      return { problem: `is not a text of at most ${MAX_BYTES} bytes` };
    }
    return text === '' ? { problem: 'is empty' } : { text };
  } catch (error) {
    return { problem: `cannot be read (${error instanceof Error ? error.message : 'unknown'})` };
  }
}

/**
 * Reads at most one byte more than the maximum size from a file, so that the caller can detect a file that is too
 * large.
 */
function readFileStart(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    let count: number;
    do {
      count = readSync(file, buffer, length, buffer.length - length, null);
      length += count;
    } while (count > 0 && length < buffer.length);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/**
 * Decodes the content of a secret file. Returns undefined if the content is not UTF-8, or contains a null character,
 * which an environment variable cannot contain.
 */
function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
