/** The languages of which PostgreSQL knows how words are inflected; older versions know fewer of them. */
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

/** Takes every word as it is. */
const UNKNOWN_LANGUAGE = 'simple';

/** The text search configuration for a language by its code (`en`, `pt-br`); one that PostgreSQL lacks is taken for unknown. */
export const configurationFor = (lang: string): string =>
  CONFIGURATIONS.get(lang.toLowerCase().split(/[-_]/)[0] ?? '') ?? UNKNOWN_LANGUAGE;
