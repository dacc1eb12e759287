/**
 * Matches the words before a name in a byline, such as "by". "Von" and "di" are also first names,
 * so they match only before at least two words.
 */
export const PREFIX =
  /^(?:(?:article |recipe |story |words |text |written |post(?:ed)? |published |reported |reviewed |researched |compiled |contributed |author(?:ed)? |created |review |interview |(?:view |see )?(?:more|all) |(?:view |see )?(?:(?:more|all) )?(?:articles|posts|stories) )?(?:by|door|av|af|autor(?:in)?|author|authors|contributors?|auteur|(?:geschrieben|gepostet|veröffentlicht|ein artikel|alles|alle artikel) von|text|tekst|redaktion|erstellt von|verfasst von|(?:écrit|publié|rédigé) par|(?:escrito|publicado) por|(?:scritto|pubblicato) da|skrevet av|guest (?:author|post)(?: by)?|periodista(?: digital)?)\b[\s:]+|(?:more|all) (?:articles |posts |stories )?from |byby |(?:von|par|por|di|da)\s+(?=\S+ \S)|(?:autor(?:in|en)?|author|text|von|by|di|da|par|por)\s?:\s?|(?:автор[аы]?|autor(?:a|es|as)|tác giả|ผู้เขียน|लेखक)\s?[:：]\s?|(?:作者|撰文|文字|文|记者|記者|撰稿|執筆|著者|筆者|取材・文|ライター|글|글쓴이|기자)\s?(?:[:：=＝/／|｜]\s?|\s))+/iu;
/** Matches "by" if the page has no blank before the name, as in "ByAda Nordin". Does not match "Byron". */
export const GLUED_BY = /^(?:by|By|BY)(?=\p{Lu}\p{Ll})/u;
/** Matches the part of a byline that names another person than the writer. */
export const OTHER_ROLE =
  /^(?:edited|(?:medically |clinically |fact |peer )?(?:reviewed|checked)|fact-checked|photograph(?:ed|s|y)?|illustrat(?:ed|ions?)|translated|produced|updated|last updated) by\b/iu;
/**
 * Matches a part of a list of names that is a job or a degree, such as "Senior Analyst" or "MD". A text that is not in
 * a list is not checked, because it can be the name of a user or a team.
 */
export const ROLE =
  /(?:^|[ -])(?:editor|editor-in-chief|writer|reporter|consultant|analyst|educator|developer|engineer|controller|director|manager|officer|president|founder|professor|attorney|lawyer|dietitian|nutritionist|physician|specialist|strategist|researcher|scientist|correspondent|columnist|coach|expert|advisor|adviser|journalist|designer|producer|photographer|fellow|lecturer|redakteur(?:in)?)s?$/iu;
export const DEGREE =
  /^(?:[BM]\.?(?:A|S|Sc|Ed|Eng|D|PH|BA|FA)\.?|LL[BM]|J\.?D\.?|Ph\.? ?D\.?|Pharm\.?D\.?|D\.?[OP]\.?T?|DDS|DVM|R\.?N\.?|RDN?|LDN?|CDN|CPT|CSCS|CFA|CFP|CPA|EA|LCSW|MRCGP|FAC[A-Z]{1,3}|FAND|FOMA|DABOM)$/iu;
/**
 * Matches a lower-case word such as "von" before a name. Does not match capitalised words, because they may be first
 * names.
 */
export const SMALL_PREFIX = /^(?:von|par|por|di) (?=\p{Lu})/u;
export const ANY_PREFIX = /^(?:von|par|por|di) /iu;
/**
 * Matches the text after a name in a byline, such as a date or a job title. The white space of the
 * byline must be normalised to single spaces.
 */
export const SUFFIX =
  / ?(?:[|•·⋅»›–—](?: |$)|(?<= )- |\(|@ ?\S| am$| am \d|,? (?:updated|published|posted|staff writer|founder|ceo|co-founder|read more|follow)\b|(?:,|(?<=\S \S{1,30})) (?:senior|contributor|correspondent|reporter|editor|author|writer)\b|,? (?:on (?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\b|\d{1,2}[./: ]|\d{4}[年년]| (?:来源|來源|出处|发布|发表|时间|日期|责编|编辑|編輯|責任編輯)[:：]| 기자$| (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d)/iu;
export const NO_AUTHOR =
  /^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|sign in.*|log ?in.*|subscribe.*|join us|joined|contact(?: us)?|kontakt|reading time|read|last updated?|uncategorized|newsletter|admin(?:istrator)?|last|updated|von|(?:\d+ )?mins? read|more about.*|(?:zeige )?alle beiträge.*|gesponserte inhalte|(?:(?:senior|staff|content|marketing|managing|contributing|freelance|associate|executive) )*(?:writer|reporter|coordinator|manager|correspondent|strategist|journalist|marketer)s?|staff|editor(?:s|ial)?(?: team)?|redaktion|redazione|la rédaction|redacción|redakcja|webmaster|guest(?: author)?|author|autor|unknown|anonymous|неизвест\S*|аноним\S*|佚名|匿名|an[oó]n[iy]mo?|anonyme|root|user|team|press release|contributor|posted|by|(?:written|posted) by|authors|the|share|online|null|undefined|none|n\/a|more|follow|about|bio|website|view (?:all |more )?posts?.*|all posts.*|(?:our|all|the|meet (?:our|the)|about (?:our|the)) (?:authors?|writers?|contributors?|editors?|team|staff)|(?:see|read) (?:more|full).*|\d.*)$/iu;
export const BETWEEN =
  / ?(?:[;|\n/•]|,(?! (?:jr|sr|esq|ii|iii)\b)|\b(?:and|und|et|with|mit|och|og)\b(?=[ \n])|&|\+) ?/iu;
/**
 * Matches the Spanish word "y" (and) between two names. Two capitalised words must follow, because before a single
 * word, "y" may be part of a name ("Ramón y Cajal").
 */
export const SPANISH_AND = / y (?=\p{Lu}\S* \p{Lu})/u;
/** Matches credits of pictures, such as "Foto: Jan Kowalski". */
export const CREDIT =
  /^(?:(?:title |titel)?(?:photo(?:graph(?:s|y)?)?|foto(?:s|graf(?:ía|ia)?)?|image|picture|illustration|bild(?:er)?|grafik|zdjęci[ae]|fot\.|crédit photo|фото))s?(?: (?:credit|courtesy|by|von|de|di|of))*\s?(?::|(?<= (?:by|von|courtesy)) )/iu;
/**
 * Matches dates and reading times in a byline, which are not names. Does not match a digit after a letter, because such
 * a digit may be part of a name.
 */
export const DATED = /\d{4}|\s\d|^\d/u;
export const ADDRESS = /https?:|www\.|^[^\s@]+@[^\s.]+\.\S+$/iu;
export const LONGEST = 60;
/** Matches a name that is a single lower-case word. Such a name is ignored if the byline contains several names. */
export const SMALL = /^\p{Ll}+[.!]?$/u;
/**
 * Matches a text in a byline that is part of a sentence instead of a name, such as "free tools of a vetted network".
 */
export const SENTENCE = /^(?:\p{Ll}\S* (?:\S+ )+|\p{Lu}\S* (?:\S+ ){3,})\p{Ll}+\.?$/u;

/** Matches the name of a company. A company is not an author, but the owner or creator of the site. */
export const COMPANY = / (?:gmbh(?: & co\.? kg)?|ltd|llc|inc|s\.r\.l|s\.p\.a|sp\. z o\.o)\.?$/iu;
