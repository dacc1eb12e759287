/**
 * The patterns in this file match lines that are never part of an article's text, in the languages of the sample pages.
 */
/**
 * A pattern for the end of a word in any writing system. Without this pattern, "photo" would match the beginning of
 * "Photosynthesis".
 */
const END_OF_WORD = '(?![\\p{L}\\p{N}])';

/** A pattern for the credits of pictures and similar lines below pictures. */
const CREDITS =
  '(?:photo|foto|image|picture|pic|credit|bild|quelle|source|grafik)s?\\s?(?:(?:credits?|by|von|courtesy)_|:|©).{0,160}|(?:©|\\(c\\)|copyright_).{0,300}|(?:photo|foto|image|bild)s?(?:\\s?/.{0,100})?|\\((?:photo|foto|image|bild|ap photo|getty)_[^.]{0,100}\\)?|(?:ap photo|getty images)_[^.]{0,100}|fot\\. .{0,160}';

/** Patterns for labels, such as "Share". Each `_` in a pattern is replaced with the pattern for the end of a word. */
const LABELS = [
  'share(?: (?:this|on|via|it)_.{0,40})?|teilen(?: mit)?|partager|compartir|condividi|udostępnij(?: (?:artykuł|wpis|to|na)_.{0,40})?|tweet|pin(?: it)?|e-?mail|print|drucken|imprimer',
  'advert(?:isement|ising|orial)?s?|ad|sponsored(?: content)?|anzeige|werbung|publicité|publicidad|pubblicità|reklama|article continues (?:after|below)_.{0,40}',
  '(?:read|see) (?:more|also|next)_.{0,140}|related_.{0,80}|mehr zum thema_.{0,60}|lesen sie auch_.{0,140}|auch interessant_.{0,80}|lire aussi_.{0,140}|(?:lee|lea|leer|ver) (?:más|también|además)_.{0,140}|leggi anche_.{0,140}|czytaj (?:też|także|również|więcej)_.{0,140}|zobacz (?:też|także|również)_.{0,140}|weitere informationen|weiterlesen|continue reading_.{0,80}|click here_.{0,80}',
  CREDITS,
  'sign up_.{0,120}|subscribe_.{0,120}|follow (?:us|me|him|her)_.{0,120}|(?:get|join) .{0,60}newsletter.{0,60}|jetzt anmelden_.{0,60}|this (?:website|site) uses cookies_.{0,200}',
  '\\d+ (?:comments?|kommentare?|responses?|replies|likes?|shares?|views?)_.{0,30}|(?:comments?|kommentare?|responses?|replies|likes?|shares?|views?|lesezeit)(?:[^\\p{L}].{0,12})?|(?:leave|post|add) a (?:comment|reply)_.{0,60}|(?:tags|topics|categor(?:y|ies)|schlagw[oö]rter|kategorien?|labels|stichwörter)|(?:tags?|topics?|categor(?:y|ies)|schlagw[oö]rte?r?|kategorien?|labels?|stichwörter)\\s?:.{0,180}|(?:tagged|filed under|posted in)_.{0,20}(?:,.{0,160})?',
  '\\(image:? .{0,200}\\)|(?:last |letzte )?(?:updated|aktualisierung) (?:at|on|am)_.{0,120}|this slideshow requires javascript|post (?:a )?comment[^\\p{L}\\p{N}]{0,5}|(?:tell us|let us know) what you think_.{0,60}|(?:we )?want to hear what you think_.{0,140}|have a (?:news )?tip\\?.{0,200}|(?:beitrags|titel|symbol)bild(?:er)?_.{0,120}|externer inhalt|loading[^\\p{L}\\p{N}]{0,5}|wird geladen[^\\p{L}\\p{N}]{0,5}|skip to (?:the )?(?:(?:main|primary|page|site) )?(?:contents?|navigation|menu|search|footer|main|sidebar)_.{0,20}|back to top|nach oben|table of contents|contents|inhaltsverzeichnis|close|menu|next|previous|zurück|weiter|\\d+ (?:of|von) \\d+|[^\\p{L}\\p{N}]{1,5}',
  '(?:te|le) (?:recomendamos|sugerimos|puede interesar)_.{0,140}|(?:artículos?|noticias?|notas?|contenidos?|temas?) (?:relacionad|recomendad)[oa]s?_.{0,80}|(?:más información|más noticias)_.{0,120}|s[ií]gu[ea]nos_.{0,120}|suscr[ií]b(?:ete|ase)_.{0,120}|comparte_.{0,40}|(?:crédito|imagen|fuente|fotografía)s?\\s?:.{0,160}|etiquetas|archivado en|anuncio|(?:sigue|seguir|continuar) leyendo_.{0,80}|(?:mira|lee|lea) (?:también|además|más)_.{0,140}|no te pierdas_.{0,100}|recib[ae] (?:nuestr|las|todas|en tu).{0,120}|(?:hazte|únete)_.{0,120}',
  '(?:przeczytaj|sprawdź|obejrzyj|zobacz|czytaj) (?:też|także|również|więcej|dalej)_.{0,140}|dalsz[ay] (?:część|ciąg) (?:artykułu|tekstu)_.{0,80}|dowiedz się więcej_.{0,80}|(?:źródło|źródła|zdjęci[ea]|oprac(?:owanie|\\.)?|tagi|tematy)\\s?:.{0,160}|zapisz się (?:na|do)_.{0,100}|(?:obserwuj|śledź|polub) nas_.{0,80}|(?:materiał|artykuł) (?:sponsorowany|promocyjny|partnera)_.{0,40}|reklama',
]
  .join('|')
  .replaceAll('_', END_OF_WORD);
const LABEL = new RegExp(`^(?:${LABELS})\\s?:?$`, 'iu');
const CREDIT_LABEL = new RegExp(`^(?:${CREDITS.replaceAll('_', END_OF_WORD)})\\s?:?$`, 'iu');

/** Matches a credit in brackets at the end of a picture's caption. */
const CREDIT =
  /\((?:(?:ap |file |afp |epa )?(?:photo|foto)s?\b|(?:image|picture|bild|credit|quelle)s?\s?(?::|by|courtesy)|getty|shutterstock)[^()]{0,100}\)\.?$/iu;
const NOTICE =
  /\baffiliate[ -](?:links?|commissions?)\b|\b(?:contributed|beigetragen) (?:reporting )?to this (?:report|story|article)\b|^(?:you must be|du musst|sie müssen) .{0,20}(?:logged in|eingeloggt|angemeldet)/iu;
/**
 * Matches the shortcode of a plugin, such as `[my_gallery]`. A page shows the shortcode as text if its site no longer
 * has the plugin.
 */
const SHORTCODE = /^\[\/?[a-z][a-z\d]*[_-][^\]]*\]|^\[([a-z]{3,}) [^\]=]+=[^\]]*\]/iu;

/**
 * Matches a sentence that begins with the words of a label, but is part of the text: "Sign up for an account and create
 * a key before you start."
 */
const OPEN =
  /^(?:(?:read|see) (?:more|also|next)|related|continue reading|click here|credit by|copyright|sign up|subscribe|follow (?:me|him|her)) (?!.*newsletter).*[\p{L}\p{N}][.!?…]["”»)]?$/iu;
const LEAST_WORDS_OF_SENTENCE = 8;

const isSentence = (text: string): boolean => text.split(' ').length >= LEAST_WORDS_OF_SENTENCE;

export const isLabel = (text: string): boolean =>
  text.length < 400 &&
  ((LABEL.test(text) && !(OPEN.test(text) && isSentence(text))) ||
    CREDIT.test(text) ||
    NOTICE.test(text) ||
    SHORTCODE.test(text));

/** Returns true if a line contains the credit of a picture or of the whole page. */
export const isCredit = (text: string): boolean => CREDIT_LABEL.test(text) || CREDIT.test(text);

const ENDS = [
  'related (?:articles?|posts?|stories|content|news|reading|topics|links|products)|recommended(?: .{0,30})?|similar (?:articles?|posts?|stories|papers|products|items|questions)|more (?:from|in|on|stories|news|like this)_.{0,50}|more (?:\\p{L}{1,20} ){1,3}(?:stories|articles|posts)|most (?:read|popular|viewed)_.{0,40}|you (?:may|might)(?: also)? (?:like|enjoy|be interested)_.{0,40}|popular (?:posts?|stories|articles|now)|trending_.{0,30}|latest (?:news|posts?|articles|stories)_.{0,30}|what to read next|up next|read next|see also|around the web|from the web|editor.?s picks?',
  'das könnte (?:sie|dich|euch)_.{0,40}|(?:auch|weitere?|mehr) (?:interessant|artikel|beiträge|themen|nachrichten|meldungen|zum thema|aus)_.{0,60}|viel gelesen_.{0,30}|meistgelesen(?:e[nrs]?)?_.{0,30}|empfohlene .{0,30}|ähnliche .{0,30}|passend zum thema|weiterführende links_.{0,30}|verwandte .{0,30}|neueste .{0,30}',
  '(?:leave|post|write|add) (?:a|your) (?:comment|reply|response)_.{0,40}|(?:\\d+ )?(?:comments?|responses?|thoughts|replies|kommentare?|commentaires?|comentarios?|commenti|komentarze)(?: \\(?\\d+\\)?| (?:to|on) .{0,160})?:?|schreibe(?:n sie)? (?:einen|ihren) kommentar_.{0,40}|kommentar (?:schreiben|verfassen|hinterlassen)|laisser un commentaire|deja (?:un comentario|una respuesta)_.{0,30}|lascia un commento_.{0,30}|dodaj komentarz_.{0,30}|отзывы|комментарии_.{0,20}|добавить (?:отзыв|комментарий)|join the (?:conversation|discussion)',
  'about the authors?|about the writer|über (?:den|die) autor(?:in|en)?_.{0,20}|zur person|à propos de l.auteur|sobre el autor|share this_.{0,40}|teilen mit:?|gefällt mir:?|follow us_.{0,40}|à lire aussi|lire aussi|articles? (?:similaires|liés)|(?:te|le) puede interesar|lo más (?:leído|visto|popular)_.{0,30}|sobre (?:el|la) autora?|deja un comentario|czytaj więcej o|polecamy_.{0,30}|najnowsze_.{0,30}|najczęściej czytane_.{0,30}|zobacz również|o autorze|articoli correlati|zobacz także|czytaj także|powiązane_.{0,20}|похожие .{0,30}|читайте также_.{0,20}',
]
  .join('|')
  .replaceAll('_', END_OF_WORD);
const END = new RegExp(`^(?:${ENDS})[\\s:.…]*$`, 'iu');

/**
 * Returns true if a line may be the heading of content after the article: other articles, comments, or a note about the
 * author.
 */
export const isEnd = (text: string): boolean => text.length < 200 && END.test(text);

/**
 * Returns true if a line states the number of comments. Call this function only for lines for which `isEnd` returns
 * true.
 */
export const isCountOfComments = (text: string): boolean =>
  /^\d+ (?:comments?|responses|replies|kommentare?|commentaires?|comentarios?|commenti|komentarz\p{L}*|комментари\p{L}*)[\s:.…]*$/iu.test(
    text,
  );

/**
 * Returns true if a line only invites readers to comment. Returns false for a line such as "Add a comment to a cell",
 * which is a heading in a manual.
 */
export const isCallForComments = (text: string): boolean =>
  /^(?:(?:leave|post|write|add) (?:a|your) (?:comment|reply|response)(?: below| cancel reply)?|schreibe(?:n sie)? (?:einen|ihren) kommentar|kommentar (?:schreiben|verfassen|hinterlassen)|laisser un commentaire|deja (?:un comentario|una respuesta)|lascia un commento|dodaj komentarz|добавить (?:отзыв|комментарий)|join the (?:conversation|discussion))[\s:.…]*$/iu.test(
    text,
  );

/** Returns true if a line may be the heading of comments. The line may also be a heading in a manual or guide. */
export const isOnComments = (text: string): boolean =>
  /^(?:\d+ |(?:leave|post|write|add|schreibe|kommentare?|commentaires?|comentarios?|commenti|komentarze|отзывы|комментарии)(?!\p{L}))/iu.test(
    text,
  );

export const isAboutAuthor = (text: string): boolean =>
  /^(?:about the (?:author|writer)|über (?:den|die) autor|zur person|à propos de l|sobre (?:el|la) autor|o autorze)/iu.test(
    text,
  );

/**
 * Matches an ambiguous heading, which may be above links to other pages or belong to the article. For example,
 * "recommended" and "similar" may refer to a medicine.
 */
const WEAK_END =
  /^(?:(?:responses?|comments?|thoughts|replies)(?: (?:to|on) .{0,160})?|see also|more (?:on|in|from)(?!\p{L}).{0,50}|most popular(?!\p{L}).{0,40}|up next|sobre el autor|(?:recommended|similar|trending|empfohlene[nrs]?|ähnliche[nrs]?|verwandte[nrs]?|neueste[nrs]?|polecamy|powiązane|najnowsze|похожие)(?!\p{L}).{0,30}|share this(?!\p{L}).{0,40})[\s:.…]*$/iu;

/**
 * Returns true if a heading such as "See also" is ambiguous. Usually, content from outside the
 * article follows, but the heading may also belong to the article, for example in a manual.
 */
export const isWeakEnd = (text: string): boolean => WEAK_END.test(text);

const DATELINE =
  /^(?:(?:first )?(?:published|posted|updated|last updated|modified|veröffentlicht|aktualisiert|publié|mis à jour|publicado|actualizado|opublikowan[oay]|data (?:publikacji|utworzenia)|aktualizacja|dodano|pubblicato)(?!\p{L}).{0,80}|stand(?: vom)?\s?:? ?\d.{0,80}|(?:on |am |le |el )?(?:\p{L}{2,10},? )?\d{1,2}(?:st|nd|rd|th)?[./ ]{1,2}(?:de )?(?:\d{1,2}|\p{L}{3,10})[./, ]{1,2}(?:de )?\d{2,4}\b.{0,50}|(?:\p{L}{2,10},? )?\p{L}{3,10}\.? \d{1,2},? \d{4}\b.{0,50}|\d{4}-\d\d-\d\d.{0,40}|\d+ (?:min(?:ute)?n?s?|hours?|days?|weeks?|months?|years?) (?:ago|read).{0,20})$/iu;

/**
 * Matches the end of a sentence. A complete sentence does not state when the article was published, even if it begins
 * with such words: "Published in 1851, the novel was no success at first."
 */
const STOPPED = /[\p{L}\p{N}]\.$/u;

/** Matches the name of a place at the beginning of a news report, as in "LONDON (Reuters) —". */
const PLACE = /^\p{Lu}[\p{L} .,'’/-]{1,60}(?:\([^()]{2,40}\) ?)?[–—-]{1,2}$/u;

/** Returns true if a line states when or where the article was written. */
export const isDateline = (text: string): boolean =>
  text.length < 160 &&
  ((DATELINE.test(text) && !(STOPPED.test(text) && isSentence(text))) || PLACE.test(text));

const BYLINE =
  /^(?:(?:(?:written |posted |story )?by|von|par|por|di|autor(?:in)?|author)\s(\S)|(?:autor(?:in)?|author|text):\s\S|(?:автор[аы]?|tác giả|ผู้เขียน|लेखक|作者)\s?[:：]\s?[^\s！？，。：；、])[^！？，。；]{1,100}$/iu;

/**
 * Returns true if a line names the author of the article. A name never begins with a lower-case letter, so "By noon the
 * harbour was shut" does not match.
 */
export function isByline(text: string): boolean {
  const found = text.length < 120 ? BYLINE.exec(text) : null;
  return found !== null && !/\p{Ll}/u.test(found[1] ?? '');
}
