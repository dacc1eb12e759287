import { WireFlag, WireRequired } from '../../common/http/wire.js';
import { choiceReader } from '../../common/http/wire-reader.js';
import { choiceSchema } from '../../common/http/wire-schema.js';
import { EXPORT_FORMATS, type ExportFormatName } from '../export/export-formats.js';

const NAMES = Object.fromEntries(Object.keys(EXPORT_FORMATS).map((name) => [name, name]));

/** The members of export (docs/api/export.md). */
export class ExportRequest {
  @WireRequired(choiceReader(NAMES), { ...choiceSchema(NAMES), description: 'How it is written.' })
  format!: ExportFormatName;

  @WireFlag({
    description: 'With the texts of the articles; in `jsonl` alone, which has a place for them.',
    default: 0,
  })
  articles?: boolean;
}
