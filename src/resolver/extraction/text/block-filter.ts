import { attribute, type DomElement, labelOf } from '../dom/dom.js';
import type { Block } from './blocks.js';

/** What is known of a page from elsewhere, and need not be said again by its first lines. */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
}

const LABEL =
  /^(?:share(?: (?:this|on|via)\b.{0,40})?|related\b.{0,60}|read (?:more|also|next)\b.{0,120}|see also\b.{0,100}|advertisement|advertising|sponsored|anzeige|werbung|publicité|publicidad|reklama|image(?: credit)?s?:.{0,120}|(?:photo|foto|image|picture|credit|source|bild|quelle)s?\s?(?:credit|by|:|©).{0,120}|©.{0,100}|click here.{0,80}|subscribe\b.{0,80}|sign up\b.{0,80}|follow us.{0,60}|print|e-?mail|comments?|\d+ comments?|tags?:.{0,200}|filed under.{0,200}|topics?:.{0,200}|loading\.*|continue reading.{0,60}|skip to.{0,40}|table of contents|contents|back to top|mehr zum thema.{0,60}|lesen sie auch.{0,120}|auch interessant.{0,80}|lire aussi.{0,120}|leer más.{0,60}|leggi anche.{0,120}|czytaj (?:też|także|więcej).{0,120}|zobacz (?:też|także).{0,120})$/iu;
const DATELINE =
  /^(?:(?:published|posted|updated|last updated|modified|veröffentlicht|aktualisiert|stand|publié|mis à jour|publicado|actualizado)\b.{0,60}|(?:\w{3,10},? )?\d{1,2}[./ ](?:\d{1,2}|[^\W\d_]{3,10})[./ ]\d{2,4}.{0,30}|[^\W\d_]{3,10} \d{1,2},? \d{4}.{0,30}|\d{4}-\d\d-\d\d.{0,30}|\d+ (?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?) (?:ago|read).{0,20})$/iu;
const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
const LEADING = 6;

/** The lines of an article without those that are not its text. */
export function textBlocks(blocks: readonly Block[], known: Known): Block[] {
  const kept = blocks.filter((block) => !isAside(block) && !LABEL.test(block.text));
  const first = kept.findIndex((block, index) => index >= LEADING || !isLeading(block, known));
  return kept.slice(Math.max(first, 0));
}

const isAside = (block: Block): boolean => isCaption(block.element) || isLinkLine(block);

function isLinkLine({ text, linked, element }: Block): boolean {
  const isHeading = /^h[1-6]$/u.test(element.localName);
  return !isHeading && linked / text.length > MOST_LINKED && text.length < LONGEST_LINK;
}

function isCaption(element: DomElement): boolean {
  for (let at: DomElement | null = element; at; at = at.parentElement) {
    if (at.localName === 'figure' || at.localName === 'figcaption') {
      return true;
    }
    if (/\b(?:wp-caption|caption)(?:-text)?\b/u.test(labelOf(at))) {
      return true;
    }
  }
  return attribute(element, 'role') === 'note';
}

function isLeading({ text }: Block, { title, authors }: Known): boolean {
  const line = text.toLowerCase();
  return (
    line === title.toLowerCase() ||
    DATELINE.test(text) ||
    /^(?:by|von|par|por|di)\s.{2,80}$/iu.test(text) ||
    authors.some((author) => line.startsWith(author.toLowerCase()) && line.length < author.length + 60)
  );
}
