import { dateIn } from '../date-text.js';

const BY = /^(?:by|von|par|por|di)[\s:]+(\p{Lu}[^,;:!?|•·]{2,80})/u;
const BY_ANY_CASE = /^(?:by|von|par|por|di)[\s:]+/iu;

/**
 * Matches bylines with a colon. In writing systems without capital letters, only the colon
 * distinguishes a byline from a sentence.
 */
const BY_COLON =
  /^(?:автор[аы]?|autor(?:in|a|es|as)?|tác giả|ผู้เขียน|लेखक|作者)\s?[:：]\s?[\p{Lu}\p{Lo}][^,;:!?|•·！？，。：；、]{1,60}$/u;

const SENTENCE_END = /(?<! (?:jr|sr|\p{L}))\.$/iu;
/**
 * Matches a sentence that begins like a byline, such as "By Monday all was done". Does not match first names that are
 * also months, as in "By April Nordin".
 */
const BY_DAY =
  /^\S+\s+(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)(?!\p{L}| \p{Lu})/u;

const isByName = (text: string): boolean =>
  !BY_DAY.test(text) &&
  BY_ANY_CASE.test(text) &&
  BY.test(text.replace(/^\p{Lu}+/u, (by) => by.toLowerCase()));

const LONGEST = 120;
const startsSmall = (text: string): string =>
  text.replace(/^\p{Lu}/u, (first) => first.toLowerCase());

const isByline = (text: string): boolean =>
  text.length < LONGEST &&
  !SENTENCE_END.test(text) &&
  (BY_COLON.test(startsSmall(text)) || isByName(text));

/** Matches a byline with the name of a user in lower-case letters, such as "by ada". */
const BY_USER = /^by [\p{Ll}\d_.-]{3,30}$/u;

/** A line such as "by hand" is a byline only if the date follows. */
const isUser = (text: string, next = ''): boolean => BY_USER.test(text) && isDate(next);

/** Matches a line that consists of a label for the author. The next line contains the name. */
const LABEL =
  /^(?:(?:(?:article |story |post )?(?:words |text |written |posted |published |authored )?(?:by|von|par|por|door)|authors?|autor(?:in|en|es|as|a)?|auteurs?|writer|contributors?|автор[ы]?|作者|文|撰文|著者|執筆|筆者|글쓴이)(?: ?[:：])?)$/iu;
/**
 * The labels of a byline that cannot begin a sentence. A line with such a label is a byline at any place of a page.
 */
const LABELLED =
  /^(?:(?:(?:article |story |post )?(?:written|authored)|words|contributed|researched|geschrieben|verfasst|redacción|texte?|text) (?:by|von|par|por):? |(?:autor(?:in|en|es|as|a)?|auteurs?|author|contributors?|автор) ?: )(?=\p{Lu})[^!?]{3,80}$/iu;
const CJK_LABELLED =
  /^(?:作者|撰文|文字|撰稿|執筆|著者|筆者|取材・文|ライター|글쓴이|文)\s?[:：=＝/／|｜]\s?[\p{Lo}\p{Lu}][^！？。]{0,80}$/u;

const isLabelled = (text: string): boolean =>
  text.length < LONGEST && (LABELLED.test(text) || CJK_LABELLED.test(text));

/** Returns the first byline of the lines. A byline can have two lines, a label and a name. */
export function bylineIn(lines: readonly string[]): string | undefined {
  const found = lines.findIndex(
    (text, at) =>
      isByline(text) ||
      isLabelled(text) ||
      isUser(text, lines[at + 1]) ||
      isLabelOf(text, lines[at + 1]),
  );
  return LABEL.test(lines[found] ?? '') ? lines[found + 1] : lines[found];
}

/** Returns the first line with a label that marks a byline at any place of a page. */
export function labelledIn(lines: readonly string[]): string | undefined {
  const at = lines.findIndex(
    (text, place) => isLabelled(text) || (text.includes(' ') && isLabelOf(text, lines[place + 1])),
  );
  return LABEL.test(lines[at] ?? '') ? lines[at + 1] : lines[at];
}

const isLabelOf = (text: string, next = ''): boolean =>
  text.length < LONGEST && LABEL.test(text) && PERSON.test(next);

/** Matches the name of a person with at least two words. */
const PERSON =
  /^(?:Dr\.? )?(?!(?:A|An|The|Our|My|Your|In|On|How|Why|What) )\p{Lu}[\p{L}'’.-]{0,30}(?: (?:de|da|van|von|der|den|la|le|di|bin|al|\p{Lu}[\p{L}'’.-]{0,30})){1,3}(?:,(?: [A-Z][A-Za-z.]{1,5},?){1,4})?$/u;
/** The maximum number of lines between the headline and the name. */
const NEAR = 3;

/**
 * Returns the name of a person in one of the first lines after the headline, if the date follows in the same line or in
 * one of the next two lines.
 */
export function nameBeforeDate(lines: readonly string[]): string | undefined {
  return lines.slice(0, NEAR).flatMap((text, at) => {
    const [name = '', ...rest] = text.split(/ [|•·–—⋅] /u);
    const next = rest.length > 0 ? rest : lines.slice(at + 1, at + NEAR);
    return PERSON.test(name) && next.some(isDate) ? [name] : [];
  })[0];
}

const LONGEST_DATE = 60;

const isDate = (text: string): boolean =>
  text.length < LONGEST_DATE && dateIn(text, { monthFirst: true }) !== undefined;
