import { escapeText } from 'entities';
import type { TokenizerCallbacks } from 'htmlparser2';

import { scriptedDocument } from '../embeds/embed-attributes.js';
import { writtenFormula } from '../formulas/formula.js';
import { picturedTex } from '../formulas/formula-tags.js';
import { MOST_EMBEDDED } from '../media/embedded-pictures.js';
import { sameAs, withMedia } from '../media/media-tags.js';
import { pictureText } from '../media/small-pictures.js';
import { CapturedParts } from './captured-parts.js';
import { HeadReader } from './head-reader.js';
import { KeptHtml, RESUMING, SKIPPED, UNWRAPPED, VOID, WITH_BLOCKS } from './kept-html.js';
import type { Markup } from './scan-markup.js';
import { TagStack } from './tag-stack.js';

const MAX_ATTRIBUTES = 64;
const MAX_VALUE = 8_192;

const HEAD_TAGS: ReadonlySet<string> = new Set(['html', 'meta', 'link', 'base']);
const EMBEDS: ReadonlySet<string> = new Set('img iframe embed object video audio'.split(' '));
const TEX = /^(?:math\/|application\/x-)(?:la)?tex\b/iu;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NOTHING = (): void => undefined;

/**
 * Collects the visible markup of a page and the data in its head. A tokenizer calls the methods of this class for each
 * tag and text.
 */
export class MarkupScanner implements TokenizerCallbacks {
  readonly #source: string;
  readonly #kept = new KeptHtml();
  readonly #head = new HeadReader();
  readonly #stack = new TagStack();
  #attributes: Map<string, string> | undefined;
  #tag = '';
  #attribute = '';
  #valueStart = -1;
  #valueEnd = -1;
  #tags = 0;
  #links = 0;
  #embeds = 0;
  #nesting = 0;
  #textNesting = 0;
  #skipping = '';
  #collecting: 'title' | 'json' | 'script' | 'formula' | undefined;
  #collected: string[] = [];
  #tagStart = 0;
  readonly #captured = new CapturedParts();

  /**
   * Creates a scanner for `source`. The scanner keeps at most `maxTags` tags, but the text of the
   * whole page. It calls `counting` with the number of scanned tags at each tag.
   */
  constructor(
    source: string,
    private readonly maxTags: number,
    private readonly counting: (tags: number) => void,
  ) {
    this.#source = source;
  }

  get tags(): number {
    return this.#tags;
  }

  result(): Markup {
    const facts = this.#head.facts();
    const open = '<!DOCTYPE html><html><head><title></title></head><body>';
    const html = `${open}${this.#kept.toString()}</body></html>`;
    const { isFlooded } = this.#kept;
    return {
      html,
      facts,
      tags: this.#tags,
      links: this.#links,
      embeds: this.#embeds,
      nesting: this.#nesting,
      textNesting: this.#textNesting,
      isFlooded,
      formulas: this.#captured.formulas,
    };
  }

  onopentagname(start: number, end: number): void {
    this.#tag = sameAs(this.#source.slice(start, end).toLowerCase());
    this.#tagStart = start - 1;
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#source.slice(start, Math.min(end, start + 64)).toLowerCase();
    this.#valueStart = -1;
    this.#valueEnd = -1;
  }

  onattribdata(start: number, end: number): void {
    this.#valueStart = this.#valueStart < 0 ? start : this.#valueStart;
    this.#valueEnd = end;
  }

  onattribend(): void {
    const length = this.#valueEnd - this.#valueStart;
    this.#attributes ??= new Map();
    if (this.#attributes.size < MAX_ATTRIBUTES && length < this.#longestValue()) {
      const value = length > 0 ? this.#source.slice(this.#valueStart, this.#valueEnd) : '';
      this.#attributes.set(this.#attribute, this.#attributes.get(this.#attribute) ?? value);
    }
  }

  /** Allows longer values only for pictures whose data is in the page. */
  #longestValue(): number {
    return this.#tag === 'img' && this.#attribute === 'src' ? MOST_EMBEDDED : MAX_VALUE;
  }

  onopentagend(): void {
    this.#open(false);
  }

  onselfclosingtag(): void {
    this.#open(true);
  }

  ontext(start: number, end: number): void {
    if (this.#collecting) {
      this.#collected.push(this.#source.slice(start, end));
    } else if (this.#skipping === '' && !this.#captured.isOpen) {
      this.#text(this.#source.slice(start, end), this.#stack.has('pre'));
    }
  }

  onclosetag(start: number, end: number): void {
    const name = sameAs(this.#source.slice(start, end).toLowerCase());
    if (this.#collecting) {
      this.#deliver();
    }
    if (this.#captured.isOpen) {
      this.#endCaptured(end, this.#captured.close(name));
      return;
    }
    if (this.#skipping !== '') {
      this.#skipping = this.#skipping === name ? '' : this.#skipping;
      return;
    }
    if (!VOID.has(name) && !UNWRAPPED.has(name) && this.#stack.close(name)) {
      this.#kept.tag(`</${name}>`, name);
    }
  }

  onend(): void {
    this.#deliver();
    this.#endCaptured(this.#source.length, true, false);
  }

  /** Writes the replacement of a captured part, such as a formula, if the part ends at an offset in the source. */
  #endCaptured(end: number, isEnd: boolean, isComplete = true): void {
    if (isEnd && this.#captured.isOpen) {
      const { open, text, close } = this.#captured.end(this.#source, end, isComplete);
      this.#kept.part(open);
      this.#text(text, false);
      this.#kept.part(close);
    }
  }

  readonly oncdata = NOTHING;
  readonly oncomment = NOTHING;
  readonly ondeclaration = NOTHING;
  readonly onprocessinginstruction = NOTHING;
  readonly onattribentity = NOTHING;
  readonly ontextentity = NOTHING;

  get #written(): ReadonlyMap<string, string> {
    return this.#attributes ?? NO_ATTRIBUTES;
  }

  #open(selfClosing: boolean): void {
    const isSkipped = this.#skipping !== '' && !this.#resumes();
    if (isSkipped || (this.#captured.isOpen && this.#captured.open(this.#tag, selfClosing))) {
      return;
    }
    this.#endCaptured(this.#tagStart, true, false);
    if (HEAD_TAGS.has(this.#tag)) {
      this.#head.tag(this.#tag, this.#written);
    }
    this.#treat(selfClosing);
  }

  /** Captures, skips or keeps a tag. */
  #treat(selfClosing: boolean): void {
    if (this.#tag === 'title') {
      this.#collecting = 'title';
    } else if (!selfClosing && this.#captures()) {
      return;
    } else if (SKIPPED.has(this.#tag) && !this.#isShadow()) {
      this.#skip(selfClosing);
    } else if (this.#mayStay()) {
      this.#keep(selfClosing);
    }
  }

  /**
   * Writes a tag to the kept markup, or the TeX if the tag is a picture of a formula. Skips the content of an iframe,
   * which browsers do not show.
   */
  #keep(selfClosing: boolean): void {
    const text = this.#tag === 'img' ? this.#pictureText() : '';
    if (text !== '') {
      this.#text(escapeText(text), false);
      return;
    }
    this.#kept.open(this.#tag, withMedia(this.#tag, this.#written));
    if (this.#tag === 'iframe') {
      this.#kept.tag('</iframe>', 'iframe');
      this.#stack.close('iframe');
      this.#skipping = selfClosing ? '' : 'iframe';
    }
  }

  #captures(): boolean {
    return this.#captured.begin(this.#tag, this.#written, this.#tagStart, this.#stack);
  }

  /** Returns the text that a picture represents, such as a formula or an emoji. */
  #pictureText(): string {
    const tex = picturedTex(this.#written);
    return tex === ''
      ? pictureText(this.#written, () => this.#stack.isInText())
      : writtenFormula(tex);
  }

  /** Returns true if a `<template>` declares a shadow root. Browsers show the content of such a template. */
  #isShadow(): boolean {
    return this.#tag === 'template' && this.#written.has('shadowrootmode');
  }

  #resumes(): boolean {
    const resumes = !WITH_BLOCKS.has(this.#skipping) && RESUMING.has(this.#tag);
    this.#skipping = resumes ? '' : this.#skipping;
    return resumes;
  }

  #skip(selfClosing: boolean): void {
    if (this.#tag === 'script') {
      this.#beginScript();
    }
    this.#skipping = selfClosing && this.#tag === 'svg' ? '' : this.#tag;
  }

  /** Keeps a frame for a script that shows a document, such as a gist, and collects the text of the script. */
  #beginScript(): void {
    const type = this.#written.get('type') ?? '';
    const document = scriptedDocument(this.#written.get('src') ?? '');
    if (document !== '') {
      this.#kept.open('iframe', new Map([['src', document]]));
      this.#kept.tag('</iframe>', 'iframe');
    }
    this.#collecting = /ld\+json/iu.test(type) ? 'json' : TEX.test(type) ? 'formula' : 'script';
  }

  #mayStay(): boolean {
    if (UNWRAPPED.has(this.#tag) || this.#isShadow()) {
      return false;
    }
    if (VOID.has(this.#tag)) {
      return HEAD_TAGS.has(this.#tag) ? this.#written.has('itemprop') : this.#counted();
    }
    return this.#counted() && this.#stack.open(this.#tag);
  }

  #counted(): boolean {
    this.#tags += 1;
    this.#links += this.#tag === 'a' ? 1 : 0;
    this.#embeds += EMBEDS.has(this.#tag) ? 1 : 0;
    this.#nesting += this.#stack.depth;
    this.counting(this.#tags);
    if (this.#tags > this.maxTags) {
      this.#kept.tag('\n', '');
    }
    return this.#tags <= this.maxTags;
  }

  #text(raw: string, isPreformatted: boolean): void {
    this.#textNesting += this.#stack.depth * raw.length;
    this.#kept.text(raw, isPreformatted);
  }

  #deliver(): void {
    const text = this.#collected.join('');
    if (this.#collecting === 'title') {
      this.#head.title(text);
    } else if (this.#collecting === 'json') {
      this.#head.jsonLd(text);
    } else if (this.#collecting === 'script') {
      this.#head.script(text);
    } else if (this.#collecting === 'formula') {
      this.#text(writtenFormula(text.replaceAll('<', '&lt;')), false);
    }
    this.#collecting = undefined;
    this.#collected = [];
  }
}
