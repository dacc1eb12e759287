import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { plainToInstance } from 'class-transformer';
import { IsString, MinLength, validateSync } from 'class-validator';

import { makeDirectory } from '../../lib/util/make-directory.js';
import { reasonOf } from '../../lib/util/reason.js';
import { ConfigError } from './environment.js';

const FILE_NAME = 'secrets.json';

/**
 * The content of the file with the generated secrets. The fields have no default values. With a default value, a secret
 * that is missing in the file would be generated again at each start.
 */
class KeptSecrets {
  @IsString()
  @MinLength(32)
  readonly jwt!: string;

  @IsString()
  @MinLength(32)
  readonly session!: string;
}

const newSecret = (): string => randomBytes(32).toString('base64url');
const newSecrets = (): KeptSecrets => ({ jwt: newSecret(), session: newSecret() });

/**
 * Returns the generated secrets from a file in the data directory (mode 0600). The first process that needs them
 * creates the file.
 */
export function keptSecrets(dataDirectory: string): { jwt: string; session: string } {
  const file = secretsFile(dataDirectory);
  if (!existsSync(file)) {
    keep(file, dataDirectory);
  }
  return read(file);
}

/** Returns the generated secrets as `keptSecrets` does. If the file is missing, returns new secrets, and creates no file. */
export function foundSecrets(dataDirectory: string): { jwt: string; session: string } {
  const file = secretsFile(dataDirectory);
  return existsSync(file) ? read(file) : newSecrets();
}

export const secretsFile = (dataDirectory: string): string => join(dataDirectory, FILE_NAME);

/**
 * Writes the secrets to a temporary file, and then creates a hard link with the final name. The creation of a hard link
 * is atomic and fails if the name exists. Two processes that start for the first time at the same time therefore use
 * the same secrets.
 */
function keep(file: string, dataDirectory: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    makeDirectory(dataDirectory);
    writeFileSync(draft, `${JSON.stringify(newSecrets(), null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) {
      throw new ConfigError([
        `DATA_DIR: cannot create or write ${dataDirectory} (${reasonOf(error)}); set DATA_DIR to a folder that this user can write, or set JWT_SECRET, SESSION_SECRET and DATABASE_URL`,
      ]);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(file: string): KeptSecrets {
  const kept = parsed(readFileSync(file, 'utf8'));
  if (!(kept instanceof KeptSecrets) || validateSync(kept).length > 0) {
    throw new ConfigError([`${file}: is damaged; restore it, or delete it to sign everybody out`]);
  }
  return kept;
}

function parsed(text: string): unknown {
  try {
    return plainToInstance(KeptSecrets, JSON.parse(text));
  } catch {
    return undefined;
  }
}
