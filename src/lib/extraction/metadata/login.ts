import type { Clues } from './clues.js';
import { isNode, ldList, type LdNode } from './json-ld.js';
import { declaresArticle } from './page-kind.js';

/** The largest number of words of a teaser. An article with more words is not behind a wall. */
const LONGEST_TEASER = 350;

/** Matches the class or id of an element that offers a subscription or a login instead of the rest of the article. */
const WALL =
  /(?:class|id)="(?![^"<>]{0,200}modal)[^"<>]{0,200}(?:pay|reg(?:istration)?|subscri(?:be|ber|ption)|log-?in|member(?:s|ship)?|meter)[_-]?wall/iu;
/** The number of characters after the start of a wall in which its offer begins. */
const WALL_CHARACTERS = 1_000;
const INVITATION = /subscri|abonn|suscr|log ?in|sign (?:in|up)|register|member|anmelden|connect/iu;
/** Matches sentences with which sites offer the rest of an article. */
const OFFER =
  /(?:subscribe|sign in|log ?in|register|become a member|upgrade) (?:now )?to (?:continue|keep|read|unlock)|(?:this|the) (?:article|story|post|content|page) is (?:only )?(?:for|available to|reserved for|exclusive to) (?:paid |paying |registered )?(?:subscribers|members)|(?:weiterlesen|lesen sie weiter) mit|nur für abonnenten|réservé (?:à nos|aux) abonnés|(?:contenido|artículo) (?:exclusivo )?para suscriptores|riservato agli abbonati|この記事は有料|会員限定|登录后(?:查看|阅读)|登入後(?:查看|閱讀)/iu;

/**
 * Returns true if the page shows only a part of its article to users without a login or a subscription. The JSON-LD of
 * the page declares this, or the article is a short text and the page has a wall.
 */
export function requiresLogin(clues: Clues, html: string, { wordCount, isArticle }: Read): boolean {
  const declared = clues.main.map(isFree).find((free) => free !== undefined);
  if (declared !== undefined) {
    return !declared;
  }
  const isTeaser = wordCount < LONGEST_TEASER && (isArticle || declaresArticle(clues));
  return isTeaser && hasOffer(html);
}

/** Returns true if a page that a server has sent instead of an article offers a login or a subscription. */
export const isWall = (html: string): boolean => NOT_FREE.test(html) || hasOffer(html);

/** Matches the declaration in JSON-LD that an article is not free. */
const NOT_FREE = /"isAccessibleForFree"\s*:\s*"?(?:https?:\/\/schema\.org\/)?false\b/iu;

const hasOffer = (html: string): boolean => OFFER.test(html) || hasWall(html);

/** The facts about the article of a page that show whether it may be a teaser. */
interface Read {
  readonly wordCount: number;
  readonly isArticle: boolean;
}

function hasWall(html: string): boolean {
  const at = html.search(WALL);
  return at >= 0 && INVITATION.test(html.slice(html.indexOf('>', at), at + WALL_CHARACTERS));
}

/** Returns false if a JSON-LD object or one of its parts is not free. Returns undefined if the object does not say it. */
function isFree(node: LdNode): boolean | undefined {
  const values = [node, ...ldList(node['hasPart']).filter(isNode)].map((one) =>
    truthOf(one['isAccessibleForFree']),
  );
  return values.some((value) => NO.test(value))
    ? false
    : values.some((value) => YES.test(value))
      ? true
      : undefined;
}

/** Match a truth value of JSON-LD, which may be a text or an address such as `https://schema.org/False`. */
const NO = /\bfalse$/iu;
const YES = /\btrue$/iu;

const truthOf = (value: unknown): string =>
  typeof value === 'boolean' || typeof value === 'string' ? String(value) : '';
