import { plainToInstance, Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsInt,
  IsString,
  Matches,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';

import { RestoreRefusedError } from './backup.errors.js';

/** The version of the layout of the file (docs/decisions/0024). */
export const FORMAT = 1;
export const MANIFEST_PATH = 'manifest.json';

/** Where the rows of a table lie in the file, in the text format of COPY. */
export const pathOf = (table: string): string => `tables/${table}.copy`;

/** A table as it was copied; what is read back must be the same. */
export class CopiedTable {
  @IsString()
  readonly name!: string;

  @IsString({ each: true })
  @IsArray()
  readonly columns!: readonly string[];

  @IsInt()
  @Min(0)
  readonly rows!: number;

  @Matches(/^[0-9a-f]{64}$/)
  readonly sha256!: string;
}

/** How far an identity column has counted. */
export class CopiedSequence {
  @IsString()
  readonly table!: string;

  @IsString()
  readonly column!: string;

  @Matches(/^\d{1,19}$/)
  readonly last!: string;
}

/** What a backup holds, and of which schema. */
export class Manifest {
  @Equals(FORMAT)
  readonly format!: number;

  @IsString()
  readonly satchel!: string;

  @IsString()
  readonly created_at!: string;

  /** In the order in which they were run. */
  @IsString({ each: true })
  @IsArray()
  readonly migrations!: readonly string[];

  @ValidateNested({ each: true })
  @Type(() => CopiedTable)
  @IsArray()
  readonly tables!: readonly CopiedTable[];

  @ValidateNested({ each: true })
  @Type(() => CopiedSequence)
  @IsArray()
  readonly sequences!: readonly CopiedSequence[];
}

/** Throws RestoreRefusedError for a text that is no manifest. */
export function parseManifest(text: string): Manifest {
  const manifest = plainToInstance(Manifest, parsed(text));
  if (!(manifest instanceof Manifest) || validateSync(manifest).length > 0) {
    throw new RestoreRefusedError('the manifest of the backup is damaged, or of another format');
  }
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
