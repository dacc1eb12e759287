/** The languages that PostgreSQL can stem, by language code. Older versions of PostgreSQL support fewer languages. */
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

/** The text search configuration for unknown languages. It does not stem words. */
export const UNKNOWN_LANGUAGE = 'simple';

/**
 * Returns the text search configuration for a language code such as `en` or `pt-br`. A language
 * that PostgreSQL does not support is treated as unknown.
 */
export const configurationFor = (lang: string): string =>
  CONFIGURATIONS.get(lang.toLowerCase().split(/[-_]/)[0] ?? '') ?? UNKNOWN_LANGUAGE;
