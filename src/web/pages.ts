import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { escapeUTF8 } from 'entities';
import { Eta } from 'eta';
import type { Request, Response } from 'express';

import { Config } from '../platform/config/config.js';
import { Answer } from '../platform/http/answer.js';
import { outerPath, pathUnder, subPathOf } from '../platform/http/sub-path.js';
import type { Message } from '../platform/i18n/message.js';
import { Translator } from '../platform/i18n/translator.js';
import { csrfTokenOf } from './csrf.guard.js';
import type { Appearance } from './reader/appearance/appearance.js';
import type { ShownPage } from './template.js';

const WEB_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The functions that each template can call by name, besides `include` and `layout`. */
class PageRenderer extends Eta {
  readonly t: Translator['text'];
  readonly html: Translator['html'];
  readonly language: string;
  /** Escapes a value inside a tag that a template gives to `html`. */
  readonly escape = escapeUTF8;

  constructor(
    private readonly translator: Translator,
    /** Returns a path of this service with the sub-path. Templates write each path as `at('/path')` (decision 0064). */
    readonly at: (path: string) => string,
  ) {
    super({
      views: WEB_FOLDER,
      autoEscape: true,
      cache: true,
      functionHeader: 'const { t, html, escape, time, day, zonedTime, at, language } = this;',
    });
    this.t = translator.text;
    this.html = translator.html;
    this.language = translator.language;
  }

  /** Returns the `<time>` element of a date, with the time in UTC. */
  readonly time = (date: Date): string => timeElement(date, this.translator.date(date));

  /** Returns the `<time>` element of a date, as a day only. */
  readonly day = (date: Date): string => timeElement(date, this.translator.day(date));

  /** Returns the `<time>` element of a date, with the weekday and the time in a time zone. */
  readonly zonedTime = (date: Date, timeZone: string): string =>
    timeElement(date, this.translator.zonedDate(date, timeZone));
}

const timeElement = (date: Date, text: string): string =>
  `<time datetime="${date.toISOString()}">${text}</time>`;

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
  private readonly subPath: string;

  constructor(config: Config) {
    this.subPath = subPathOf(config);
    this.renderer = new PageRenderer(new Translator('en'), this.at);
  }

  /** Returns a path of this service with the sub-path of the service (docs/decisions/0064). */
  readonly at = (path: string): string => pathUnder(this.subPath, path);

  /** Returns a message in the language of the page. */
  text(message: Message): string {
    return this.renderer.t(message);
  }

  /** Applies the appearance settings of the user to the page of this response. */
  dress(response: Response, appearance: Appearance): void {
    this.appearances.set(response, appearance);
  }

  render(page: ShownPage, request: Request, response: Response): Answer {
    // The token is computed only where a template writes it, because the first token begins a session.
    const csrfToken = { toString: () => csrfTokenOf(request) };
    const values = { ...page.model, csrfToken, preferences: this.appearances.get(response) };
    return new HtmlAnswer(page, this.renderer.render(`/${page.template}`, values));
  }
}

/**
 * Clears the data that the browser has stored for a user who logs out: articles for offline reading and queued changes.
 * The header clears the data of the whole host. Under a sub-path, the header is not sent, and the service worker clears
 * only the data of this service.
 */
export function forgetSiteData(response: Response): void {
  if (outerPath(response, '/') === '/') {
    response.set('Clear-Site-Data', '"storage"');
  }
}
