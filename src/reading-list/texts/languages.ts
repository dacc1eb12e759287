/** The languages that PostgreSQL can stem. Older versions support fewer of them. */
const CONFIGURATIONS: ReadonlyMap<string, string> = new Map([
  ['ar', 'arabic'],
  ['hy', 'armenian'],
  ['eu', 'basque'],
  ['ca', 'catalan'],
  ['da', 'danish'],
  ['nl', 'dutch'],
  ['en', 'english'],
  ['et', 'estonian'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['de', 'german'],
  ['el', 'greek'],
  ['hi', 'hindi'],
  ['hu', 'hungarian'],
  ['id', 'indonesian'],
  ['ga', 'irish'],
  ['it', 'italian'],
  ['lt', 'lithuanian'],
  ['ne', 'nepali'],
  ['nb', 'norwegian'],
  ['nn', 'norwegian'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sr', 'serbian'],
  ['es', 'spanish'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
  ['yi', 'yiddish'],
]);

/** The configuration that does not stem words. */
const UNKNOWN_LANGUAGE = 'simple';

/**
 * Returns the text search configuration for a language code (`en`, `pt-br`). A language that PostgreSQL lacks is
 * treated as unknown.
 */
export const configurationFor = (lang: string): string =>
  CONFIGURATIONS.get(lang.toLowerCase().split(/[-_]/)[0] ?? '') ?? UNKNOWN_LANGUAGE;
