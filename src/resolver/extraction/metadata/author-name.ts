import { decodeHTML } from 'entities';

import { squeezed } from '../dom/dom.js';
import { squashed } from './similarity.js';

const PREFIX =
  /^(?:(?:article |story |words |text |written |posted |published |reported |reviewed |author(?:ed)? |created |review |interview )?(?:by|von|par|por|di|door|av|af|autor(?:in)?|author|authors|auteur|geschrieben von|ein artikel von|text|tekst|redaktion)\b[\s:]+|(?:autor(?:in|en)?|author|text|von|by|di|par|por)\s?:\s?)+/iu;
const SUFFIX =
  /\s*(?:[|•·–—]\s.*|\s-\s.*|\(.*\)?|@\S+.*|,?\s(?:updated|published|posted|staff writer|senior|contributor|correspondent|reporter|editor|author|writer|founder|ceo|co-founder|read more|follow|on (?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\b.*|\s?\d{1,2}[./:\s].*|\s(?:staff writer|writer|editor|reporter|author|contributor|correspondent)|\s(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*|\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d.*)$/iu;
const NOBODY =
  /^(?:admin(?:istrator)?|staff|editor(?:s|ial)?(?: team)?|redaktion|redazione|la rédaction|redacción|redakcja|webmaster|guest(?: author)?|author|autor|unknown|anonymous|root|user|team|press release|contributor|posted|by|share|online|null|undefined|none|n\/a|more|follow|about|bio|website|view (?:all )?posts?.*|all posts.*|(?:see|read) (?:more|full).*|\d+.*)$/iu;
const BETWEEN =
  /\s*(?:[;|\n/•]|,(?!\s(?:jr|sr|ph\.?d|m\.?d|esq|ii|iii)\b)|\b(?:and|und|et|y|with|mit|och|og)\b(?=\s)|&|\+)\s*/iu;
/** A date or a time to read is no name; a letter and a number may be. */
const DATED = /\d{4}|\s\d|^\d/u;
const ADDRESS = /https?:|www\.|^\S+@\S+\.\S+$/iu;
const LONGEST = 60;

/** The names in a line that names authors; nothing for what is no name of a person or a desk. */
export function namesIn(line: string, siteName: string): string[] {
  if (ADDRESS.test(line)) {
    return [];
  }
  const bare = decodeHTML(line).trim().replace(PREFIX, '');
  const names = bare.split(BETWEEN).map(cleaned);
  return [...new Set(names.filter((name) => isName(name, siteName)))];
}

const cleaned = (name: string): string =>
  squeezed(name)
    .replace(PREFIX, '')
    .replace(SUFFIX, '')
    .replace(/^[\s,.:-]+|[\s,:-]+$/gu, '');

function isName(name: string, siteName: string): boolean {
  const words = name.split(' ').length;
  return (
    name.length > 1 &&
    name.length <= LONGEST &&
    words <= 6 &&
    /\p{L}/u.test(name) &&
    !/[{}<>=]|^\S+\.\S{3,}$/u.test(name) &&
    !DATED.test(name) &&
    !NOBODY.test(name) &&
    squashed(name) !== squashed(siteName)
  );
}
