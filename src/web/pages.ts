import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { escapeUTF8 } from 'entities';
import { Eta } from 'eta';
import type { Request, Response } from 'express';

import { isRightToLeft } from '../lib/util/language-tag.js';
import { Config } from '../platform/config/config.js';
import { Answer } from '../platform/http/answer.js';
import { isNegotiated, requestLanguage } from '../platform/http/request-language.js';
import { outerPath, pathUnder, subPathOf } from '../platform/http/sub-path.js';
import { type DateStyle, DEFAULT_STYLE } from '../platform/i18n/date-texts.js';
import type { TextLanguage } from '../platform/i18n/languages.js';
import type { Message } from '../platform/i18n/message.js';
import { english, type Translator, translatorTo } from '../platform/i18n/translator.js';
import { csrfTokenOf } from './csrf.guard.js';
import { assetsIn } from './page-assets.js';
import type { Appearance } from './reader/appearance/appearance.js';
import type { ShownPage } from './template.js';

const WEB_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * Renders templates. The members of this class are the functions that a template can call by name, in addition to
 * `include` and `layout`.
 */
class PageRenderer extends Eta {
  readonly t: Translator['text'];
  readonly html: Translator['html'];
  readonly language: TextLanguage;
  /**
   * Escapes a value in HTML such as `<a href="…">`. Templates pass such HTML to the function
   * `html`.
   */
  readonly escape = escapeUTF8;
  /** The attribute `dir` of a language that is written from right to left. */
  readonly direction: string;

  constructor(
    private readonly translator: Translator,
    /**
     * Adds the sub-path of the service to a path, and returns the result. Templates write each path as `at('/path')`
     * (decision 0064).
     */
    readonly at: (path: string) => string,
    /** A renderer whose compiled templates this renderer uses too. */
    beside?: PageRenderer,
  ) {
    super({
      views: WEB_FOLDER,
      autoEscape: true,
      cache: true,
      // A line of a template begins and ends without spaces. The page of a list becomes smaller by 100 bytes.
      rmWhitespace: true,
      functionHeader:
        'const { t, html, escape, time, day, zonedTime, at, asset, language, direction, byLabel } = this;',
    });
    this.t = translator.text;
    this.html = translator.html;
    this.language = translator.language;
    this.direction = isRightToLeft(translator.language) ? ' dir="rtl"' : '';
    if (beside !== undefined) {
      this.templatesSync = beside.templatesSync;
      this.filepathCache = beside.filepathCache;
    }
  }

  /** Returns a renderer for another language, another time zone or another date format. */
  withTexts(translator: Translator): PageRenderer {
    return new PageRenderer(translator, this.at, this);
  }

  /** Returns the path of an asset, with the hash of its content: `asset('style.css')`. */
  readonly asset = (name: string): string =>
    this.at(`/pages/${assetsIn(this.language).get(name).hashedName}`);

  /** Sorts options by their labels, in the alphabetical order of the language. */
  readonly byLabel = <T extends { readonly label: Message }>(options: readonly T[]): T[] =>
    options.toSorted((one, other) =>
      this.translator.compare(this.t(one.label), this.t(other.label)),
    );

  /** Returns the `<time>` element of a date, with the time. */
  readonly time = (date: Date): string =>
    timeElement(date.toISOString(), this.translator.date(date));

  /** Returns the `<time>` element of a date, without the time of day. */
  readonly day = (date: Date): string =>
    timeElement(this.translator.isoDay(date), this.translator.day(date));

  /** Returns the `<time>` element of a date, with the weekday and the time in a time zone. */
  readonly zonedTime = (date: Date, timeZone: string): string =>
    timeElement(date.toISOString(), this.translator.zonedDate(date, timeZone));
}

/** The maximum number of renderers in memory. Each one has its own date formats, which take about a millisecond. */
const MOST_RENDERERS = 100;

const timeElement = (machineText: string, text: string): string =>
  `<time datetime="${machineText}">${text}</time>`;

class HtmlAnswer extends Answer {
  constructor(
    private readonly page: ShownPage,
    private readonly html: string,
  ) {
    super();
  }

  override sendTo(response: Response): void {
    response.status(this.page.status).set(this.page.headers).type('html').send(this.html);
  }
}

/** Renders pages. All values in templates are escaped (docs/decisions/0020). */
@Injectable()
export class Pages {
  private readonly renderer: PageRenderer;
  private readonly appearances = new WeakMap<Response, Appearance>();
  private readonly dateStyles = new WeakMap<Response, DateStyle>();
  /** The renderers of the latest languages, time zones and date formats, keyed by all three. */
  private readonly renderers = new Map<string, PageRenderer>();
  private readonly subPath: string;

  constructor(config: Config) {
    this.subPath = subPathOf(config);
    this.renderer = new PageRenderer(english, this.at);
  }

  /** Adds the sub-path of the service to a path, and returns the result (docs/decisions/0064). */
  readonly at = (path: string): string => pathUnder(this.subPath, path);

  /** Returns a message in the language of the response to a request. */
  text(message: Message, request: Request): string {
    return translatorTo(requestLanguage(request)).text(message);
  }

  /** Applies the appearance settings of the user to the page of this response. */
  dress(response: Response, appearance: Appearance): void {
    this.appearances.set(response, appearance);
  }

  /** Writes the dates of the page of this response in the time zone and the date format of the user. */
  writeDates(response: Response, style: DateStyle): void {
    this.dateStyles.set(response, style);
  }

  render(page: ShownPage, request: Request, response: Response): Answer {
    // The CSRF token is computed only if a template writes it, because a visitor without a session gets a session when
    // the token is computed. All forms of a page contain the same masked token.
    let token: string | undefined;
    const csrfToken = { toString: () => (token ??= csrfTokenOf(request)) };
    const values = { ...page.model, csrfToken, preferences: this.appearances.get(response) };
    const style = this.dateStyles.get(response) ?? DEFAULT_STYLE;
    const renderer = this.rendererOf(requestLanguage(request), style);
    if (isNegotiated(request)) {
      response.vary('Accept-Language');
    }
    return new HtmlAnswer(page, renderer.render(`/${page.template}`, values));
  }

  private rendererOf(language: TextLanguage, { timeZone, dateFormat }: DateStyle): PageRenderer {
    const key = `${language} ${timeZone ?? ''} ${dateFormat ?? ''}`;
    const known = this.renderers.get(key);
    if (known !== undefined) {
      return known;
    }
    const translator = translatorTo(language).withDates({ timeZone, dateFormat });
    const renderer = this.renderer.withTexts(translator);
    if (this.renderers.size >= MOST_RENDERERS) {
      this.renderers.clear();
    }
    this.renderers.set(key, renderer);
    return renderer;
  }
}

/**
 * Clears the data that the browser has stored for a user who logs out: articles for offline reading
 * and queued changes. Does nothing if the service runs under a sub-path, because the header
 * `Clear-Site-Data` applies to the whole host. In this case, the service worker clears the data.
 */
export function forgetSiteData(response: Response): void {
  if (outerPath(response, '/') === '/') {
    response.set('Clear-Site-Data', '"storage"');
  }
}
